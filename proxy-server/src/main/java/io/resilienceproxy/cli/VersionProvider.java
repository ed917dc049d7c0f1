package io.resilienceproxy.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the manifest; "development" where there is none. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"resilience-proxy " + version()};
    }

    static String version() {
        String version = VersionProvider.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
