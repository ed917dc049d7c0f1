package io.resilienceproxy;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.stream.Stream;

/** The arrows between the packages of both modules, and which package may know which library. */
@AnalyzeClasses(packages = ArchitectureTest.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    static final String ROOT = "io.resilienceproxy";

    private static final String[] PACKAGES = {
        "policy",
        "outcome",
        "time",
        "resilience",
        "routing",
        "loop",
        "files",
        "pem",
        "tls",
        "http",
        "dns",
        "pool",
        "fallback",
        "exchange",
        "listener",
        "health",
        "config",
        "eventlog",
        "metrics",
        "admin",
        "cli"
    };
    private static final String[] CORE = {"policy", "outcome", "time", "resilience", "routing"};

    @ArchTest
    static final ArchRule everyPackageHasItsArrows = classes()
            .should()
            .resideInAnyPackage(named(PACKAGES))
            .because("a package that no rule speaks of has no place in the design yet: give it one here first");

    @ArchTest
    static final ArchRule policy =
            only("policy", "it is a leaf: what a policy says depends on nothing that acts on it");

    @ArchTest
    static final ArchRule outcome = only("outcome", "it is a leaf: a fact does not know who draws conclusions from it");

    @ArchTest
    static final ArchRule time = only("time", "it is a leaf: everything takes its time from here");

    @ArchTest
    static final ArchRule resilience = only(
            "resilience",
            "it decides; routes, sockets and headers are for those who ask it",
            "policy",
            "outcome",
            "time");

    @ArchTest
    static final ArchRule routing = only(
            "routing",
            "a table of routes and their live upstreams does no I/O and knows no server",
            "policy",
            "resilience",
            "outcome",
            "time");

    @ArchTest
    static final ArchRule http = only(
            "http", "it is a leaf over Netty's codec: messages mean the same to the caller's side and the upstream's");

    @ArchTest
    static final ArchRule loop =
            only("loop", "event loops and their timers carry every protocol and know none", "time");

    @ArchTest
    static final ArchRule dns = only(
            "dns",
            "it finds addresses; what becomes of connections to them is the pool's to know",
            "files",
            "loop",
            "time");

    @ArchTest
    static final ArchRule files =
            only("files", "it is a leaf: when a file has changed does not depend on what is in it");

    @ArchTest
    static final ArchRule pem =
            only("pem", "whoever reads a policy and whoever opens connections read keys by the same rules", "files");

    @ArchTest
    static final ArchRule tls = only(
            "tls",
            "a handshake is the same whatever is said behind it, and whoever asked for the connection",
            "files",
            "pem",
            "policy",
            "outcome",
            "time");

    @ArchTest
    static final ArchRule pool = only(
            "pool",
            "a connection does not know for which route or attempt it is used, so breakers cannot come to live in it",
            "http",
            "dns",
            "loop",
            "tls",
            "policy",
            "outcome",
            "time");

    @ArchTest
    static final ArchRule fallback = only(
            "fallback",
            "what may be kept and given again depends on two messages and their age, not on why an answer is needed",
            "http",
            "outcome",
            "time");

    @ArchTest
    static final ArchRule exchange = only(
            "exchange",
            "the state machine speaks to core's gates and the pool's leases; who listens and who counts is handed to it",
            with(CORE, "http", "loop", "pool", "fallback"));

    @ArchTest
    static final ArchRule listener = only(
            "listener",
            "the inbound side hands requests over; retries, pools and policy behind them are not its business",
            "http",
            "loop",
            "exchange",
            "time");

    @ArchTest
    static final ArchRule health = only(
            "health",
            "a probe is no exchange: it goes past all protections, and shows them without using them",
            with(CORE, "http", "loop", "pool"));

    @ArchTest
    static final ArchRule config =
            only("config", "it turns text into a policy and knows nothing that is alive", "files", "policy", "pem");

    @ArchTest
    static final ArchRule eventlog =
            only("eventlog", "it listens to what exchanges report and steers nothing", with(CORE, "exchange"));

    @ArchTest
    static final ArchRule metrics =
            only("metrics", "it listens to what exchanges report and steers nothing", with(CORE, "exchange"));

    @ArchTest
    static final ArchRule admin = only(
            "admin",
            "what it shows and triggers is handed in by cli, so that it cannot reach past a view",
            "loop",
            "time");

    @ArchTest
    static final ArchRule nothingDependsOnTheCompositionRoot = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".cli..")
            .because("cli puts the parts together; a part that knew it could reach every other");

    @ArchTest
    static final ArchRule noCycles = slices().matching(ROOT + ".(*)..")
            .should()
            .beFreeOfCycles()
            .because("arrows that point downwards only can be read from the bottom up");

    @ArchTest
    static final ArchRule resilience4j = library(
            "its breaker and bulkhead are details of our gates, its Micrometer binding one of the metrics",
            new String[] {"resilience", "metrics"},
            "io.github.resilience4j..");

    @ArchTest
    static final ArchRule micrometer = library(
            "meters are resolved in one place, never on the way of a request",
            new String[] {"metrics"},
            "io.micrometer..",
            "io.prometheus..");

    @ArchTest
    static final ArchRule parsers = library(
            "text is parsed where a policy is loaded and nowhere else; what the proxy writes it writes by hand",
            new String[] {"config"},
            "org.yaml.snakeyaml..",
            "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule caffeine = library(
            "one store of answers has one bound; a cache beside it would be memory that no policy knows of",
            new String[] {"fallback"},
            "com.github.benmanes.caffeine..");

    @ArchTest
    static final ArchRule picocli =
            library("the command line belongs to the composition root", new String[] {"cli"}, "picocli..");

    @ArchTest
    static final ArchRule netty = library(
            "core decides without I/O, and what configures, logs or counts must not come to hold a buffer or a channel",
            new String[] {
                "loop", "tls", "http", "dns", "pool", "fallback", "exchange", "listener", "health", "admin", "cli"
            },
            "io.netty..");

    @ArchTest
    static final ArchRule noVagueNames = noClasses()
            .should()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Impl")
            .because("such a name does not say what the class is for, so anything comes to live in it");

    /** Classes of that package depend, within the project, on themselves and the allowed packages only. */
    private static ArchRule only(String name, String reason, String... allowed) {
        DescribedPredicate<JavaClass> forbidden = resideInAPackage(ROOT + "..")
                .and(DescribedPredicate.not(resideInAnyPackage(named(with(allowed, name)))))
                .as("reside in a package other than %s of the project", Arrays.toString(with(allowed, name)));
        return noClasses()
                .that()
                .resideInAPackage(ROOT + "." + name + "..")
                .should(dependOnClassesThat(forbidden))
                .because(reason)
                .allowEmptyShould(true);
    }

    /** Only the named packages of the project depend on the library. */
    private static ArchRule library(String reason, String[] users, String... library) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(named(users))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .because(reason)
                .allowEmptyShould(true);
    }

    private static String[] named(String... names) {
        return Arrays.stream(names).map(name -> ROOT + "." + name + "..").toArray(String[]::new);
    }

    private static String[] with(String[] names, String... more) {
        return Stream.concat(Arrays.stream(names), Arrays.stream(more)).toArray(String[]::new);
    }
}
