package io.resilienceproxy;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must never happen on an event loop, and where time may be read. */
@AnalyzeClasses(packages = ArchitectureTest.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
class NonBlockingTest {

    private static final String[] ON_EVENT_LOOPS = {
        ArchitectureTest.ROOT + ".loop..",
        ArchitectureTest.ROOT + ".tls..",
        ArchitectureTest.ROOT + ".http..",
        ArchitectureTest.ROOT + ".dns..",
        ArchitectureTest.ROOT + ".pool..",
        ArchitectureTest.ROOT + ".fallback..",
        ArchitectureTest.ROOT + ".exchange..",
        ArchitectureTest.ROOT + ".listener.."
    };
    private static final String ON_LOOP_REASON =
            "one loop carries many exchanges: whoever blocks it stops them all, and what stays on one loop needs no lock";

    @ArchTest
    static final ArchRule timeComesFromTheClock = noClasses()
            .that()
            .doNotBelongToAnyOf(Clock.class)
            .should()
            .accessTargetWhere(readsOrWaitsForTime())
            .because("time that tests cannot move makes tests that sleep, and two sources of time disagree");

    @ArchTest
    static final ArchRule noLocks = noClasses()
            .that()
            .resideInAnyPackage(ON_EVENT_LOOPS)
            .should()
            .dependOnClassesThat(blocking())
            .because(ON_LOOP_REASON)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noSynchronizedMethods = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(ON_EVENT_LOOPS)
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED)
            .because(ON_LOOP_REASON)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noWaitingCalls = noClasses()
            .that()
            .resideInAnyPackage(ON_EVENT_LOOPS)
            .should()
            .accessTargetWhere(waits())
            .because(ON_LOOP_REASON)
            .allowEmptyShould(true);

    /** The class file does not show a synchronized block to ArchUnit; the source does. */
    @ParameterizedTest
    @ValueSource(strings = {"loop", "tls", "http", "dns", "pool", "fallback", "exchange", "listener"})
    void hasNoSynchronizedBlocks(String name) throws IOException {
        Path directory = Path.of("src/main/java/io/resilienceproxy", name);
        if (!Files.isDirectory(directory)) {
            return;
        }
        Pattern block = Pattern.compile("\\bsynchronized\\s*\\(");
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            for (Path source : sources) {
                assertThat(Files.readString(source))
                        .as("%s: %s", source, ON_LOOP_REASON)
                        .doesNotContainPattern(block);
            }
        }
    }

    private static DescribedPredicate<JavaClass> blocking() {
        return resideInAPackage("java.util.concurrent.locks..")
                .or(assignableTo(BlockingQueue.class))
                .or(assignableTo(CompletionStage.class))
                .or(assignableTo(CountDownLatch.class))
                .or(assignableTo(CyclicBarrier.class))
                .or(assignableTo(Phaser.class))
                .or(assignableTo(Semaphore.class))
                .as("lock, block or complete on another thread");
    }

    private static DescribedPredicate<JavaAccess<?>> readsOrWaitsForTime() {
        Pattern clocks = Pattern.compile("java\\.lang\\.System\\.(nanoTime|currentTimeMillis)"
                + "|java\\.lang\\.Thread\\.sleep|java\\.util\\.concurrent\\.TimeUnit\\.sleep"
                + "|java\\.time\\.[A-Za-z]+\\.now|java\\.time\\.Clock\\.(system.*|tick.*)");
        return new DescribedPredicate<>("is a clock of the system or a sleep") {
            @Override
            public boolean test(JavaAccess<?> access) {
                return clocks.matcher(target(access)).matches() || createsDateOfNow(access);
            }
        };
    }

    private static boolean createsDateOfNow(JavaAccess<?> access) {
        return access.getTarget().getFullName().equals("java.util.Date.<init>()");
    }

    private static DescribedPredicate<JavaAccess<?>> waits() {
        Pattern waiting = Pattern.compile("(await|sync)(Uninterruptibly)?|get|join");
        return new DescribedPredicate<>("waits for a future or a monitor") {
            @Override
            public boolean test(JavaAccess<?> access) {
                JavaClass owner = access.getTargetOwner();
                String name = access.getTarget().getName();
                return owner.isAssignableTo(java.util.concurrent.Future.class)
                                && waiting.matcher(name).matches()
                        || target(access).matches("java\\.lang\\.(Object\\.wait|Thread\\.join)")
                        || nameMatching("java\\.lang\\.Object").test(owner) && name.startsWith("notify");
            }
        };
    }

    private static String target(JavaAccess<?> access) {
        return access.getTargetOwner().getName() + "." + access.getTarget().getName();
    }
}
