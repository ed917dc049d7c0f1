package io.resilienceproxy.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the arguments of a start in the one form that nearly every start has, without picocli: it takes some 250 classes,
 * 2 MiB and a tenth of the start. Whatever is not plainly right is picocli's, which words the errors and the help.
 */
final class PlainRun {

    private @Nullable Path config;
    private boolean cold;
    private boolean training;

    private PlainRun() {}

    /** The command that picocli would make of these arguments; null where picocli is to be asked. */
    static @Nullable RunCommand read(String... args) {
        if (args.length == 0 || !args[0].equals(RunCommand.NAME)) {
            return null;
        }
        PlainRun plain = new PlainRun();
        for (int i = 1; i < args.length; i++) {
            boolean named = args[i].equals(RunCommand.CONFIG) || args[i].equals(RunCommand.CONFIG_SHORT);
            String file = named && i + 1 < args.length ? args[++i] : valueOf(args[i]);
            if (file == null ? !plain.flag(args[i]) : !plain.file(file)) {
                return null;
            }
        }
        return plain.config == null ? null : new RunCommand(plain.config, plain.cold, plain.training);
    }

    private static @Nullable String valueOf(String argument) {
        String prefix = RunCommand.CONFIG + "=";
        return argument.startsWith(prefix) ? argument.substring(prefix.length()) : null;
    }

    private boolean flag(String argument) {
        boolean coldAsked = argument.equals(RunCommand.NO_WARM_UP) && !cold;
        boolean trainingAsked = argument.equals(RunCommand.EXIT_AFTER_WARM_UP) && !training;
        cold |= coldAsked;
        training |= trainingAsked;
        return coldAsked || trainingAsked;
    }

    /** Quotes and leading dashes mean something to picocli, and a second file is a mistake. */
    private boolean file(String name) {
        if (config != null
                || name.isEmpty()
                || name.startsWith("-")
                || name.indexOf('"') >= 0
                || name.startsWith("@")) {
            return false;
        }
        try {
            config = Path.of(name);
            return true;
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
