package io.resilienceproxy.testkit;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class behind which a reference-counted Netty object was found to have been dropped without its release.
 *
 * <p>Registered for every test of the module by {@code META-INF/services}. It has to be loaded before Netty's
 * buffer classes are initialised, because they ask for their detector once: JUnit creates registered extensions before
 * the first test. Detection needs the paranoid level, unless the build asks for another, and a
 * garbage collection, which is forced here per class.
 */
public final class LeakGuard implements AfterAllCallback {

    private static final Queue<String> LEAKS = new LinkedBlockingQueue<>();

    static {
        if (System.getProperty("io.netty.leakDetection.level") == null) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        }
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingFactory());
    }

    /** @throws AssertionError where anything leaked */
    @Override
    public void afterAll(ExtensionContext context) {
        List<String> leaks = collect();
        if (!leaks.isEmpty()) {
            throw new AssertionError(leaks.size() + " leaked by the tests up to " + context.getDisplayName() + ":\n"
                    + String.join("\n", leaks));
        }
    }

    /** Forces the collection of what is unreachable, and takes the leaks that were found since the last time. */
    static List<String> collect() {
        // Twice: of what one collection found, the canary may be queued first; of two, all of the first is queued
        // before it.
        awaitCollection();
        awaitCollection();
        // Netty looks at its own reference queue when the next object is tracked.
        ByteBufAllocator.DEFAULT.directBuffer(1).release();
        List<String> leaks = new ArrayList<>();
        for (String leak = LEAKS.poll(); leak != null; leak = LEAKS.poll()) {
            leaks.add(leak);
        }
        return leaks;
    }

    private static void awaitCollection() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> canary = new PhantomReference<>(new Object(), queue);
        await().until(() -> {
            System.gc();
            return queue.remove(100) == canary;
        });
    }

    private static final class RecordingFactory extends ResourceLeakDetectorFactory {

        @Override
        @SuppressWarnings("deprecation") // the only abstract method of the factory
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            return new RecordingDetector<>(resource, samplingInterval);
        }
    }

    private static final class RecordingDetector<T> extends ResourceLeakDetector<T> {

        RecordingDetector(Class<?> resourceType, int samplingInterval) {
            super(resourceType, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            LEAKS.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            LEAKS.add(resourceType + " (no records)");
        }
    }
}
