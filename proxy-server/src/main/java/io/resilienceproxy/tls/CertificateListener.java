package io.resilienceproxy.tls;

/** Told what became of certificate files that have changed, on the thread that watches them. */
public interface CertificateListener {

    CertificateListener NOBODY = new CertificateListener() {
        @Override
        public void onRenewed(String upstream) {}

        @Override
        public void onRefused(String upstream, String reason) {}
    };

    /** New connections to the upstream use what is in its files now; those that are open go on. */
    void onRenewed(String upstream);

    /** New connections go on with what the files held before. */
    void onRefused(String upstream, String reason);
}
