package io.resilienceproxy.config;

import io.resilienceproxy.pem.Identity;
import io.resilienceproxy.pem.PemFile;
import io.resilienceproxy.pem.UnusablePem;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.TlsPolicy.ClientCertificate;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@code tls}: files are named by absolute paths, because nobody knows from where a sidecar is started. */
record TlsSettings(
        Setting<String> caFile, Setting<String> certFile, Setting<String> keyFile, Setting<String> serverName) {

    private static final Pattern ABSOLUTE = Pattern.compile("/[^\\x00-\\x1F\\x7F]+");

    private static final Type<String> FILE = Type.of(new Form.Free(ABSOLUTE.pattern()), TlsSettings::file);

    /** Stands for a key that is not there. */
    private static final String NONE = "";

    static TlsSettings read(Section section) {
        return new TlsSettings(
                section.optional("ca-file", FILE, NONE),
                section.optional("cert-file", FILE, NONE),
                section.optional("key-file", FILE, NONE),
                section.optional("server-name", Addresses.SERVER_NAME, NONE));
    }

    private static String file(String text) throws Type.Mismatch {
        if (!ABSOLUTE.matcher(text).matches()) {
            throw new Type.Mismatch("an absolute path, such as /etc/tls/ca.pem");
        }
        return text;
    }

    /** Reports what is wrong in what an https upstream has in effect. @param readsFiles also in the files */
    void check(Problems problems, boolean readsFiles) {
        checkPair(problems, certFile, keyFile, "key-file");
        checkPair(problems, keyFile, certFile, "cert-file");
        if (readsFiles) {
            checkFiles(problems);
        }
    }

    private void checkFiles(Problems problems) {
        checkFile(problems, caFile, file -> PemFile.read(file).certificates());
        boolean whole = checkFile(problems, certFile, file -> PemFile.read(file).certificates())
                && checkFile(problems, keyFile, file -> PemFile.read(file).privateKey());
        if (whole && isNamed(certFile)) {
            checkFile(problems, keyFile, file -> Identity.read(Path.of(certFile.value()), file));
        }
    }

    private static void checkPair(Problems problems, Setting<String> one, Setting<String> other, String otherKey) {
        Place place = one.place();
        if (place != null && isNamed(one) && other.isDefault() && other.valid()) {
            problems.error(place, Found.text(one.value()) + " (expected: tls." + otherKey + " beside it)");
        }
    }

    /** Takes a file, or says what is wrong with it. */
    private interface Reading {
        Object read(Path file) throws UnusablePem;
    }

    /** @return whether it is named and usable */
    private static boolean checkFile(Problems problems, Setting<String> setting, Reading reading) {
        Place place = setting.place();
        if (place == null || !isNamed(setting)) {
            return false;
        }
        try {
            reading.read(Path.of(setting.value()));
            return true;
        } catch (UnusablePem e) {
            problems.error(place, Found.text(setting.value()) + " (expected: " + e.expected() + ")");
            return false;
        }
    }

    private static boolean isNamed(Setting<String> setting) {
        return setting.valid() && !setting.isDefault();
    }

    TlsPolicy toPolicy() {
        Optional<ClientCertificate> own = isNamed(certFile) && isNamed(keyFile)
                ? Optional.of(new ClientCertificate(Path.of(certFile.value()), Path.of(keyFile.value())))
                : Optional.empty();
        return new TlsPolicy(
                isNamed(caFile) ? Optional.of(Path.of(caFile.value())) : Optional.empty(),
                own,
                isNamed(serverName) ? Optional.of(serverName.value()) : Optional.empty());
    }
}
