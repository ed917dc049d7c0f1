package io.resilienceproxy.config;

import org.yaml.snakeyaml.error.Mark;

/**
 * Where a problem is reported: the key of a map's entry, or the item of a list.
 *
 * @param line from 1
 * @param column from 1, in code points
 */
record Place(int line, int column, KeyPath path) {

    /** The file as a whole. */
    static final Place START = new Place(1, 1, KeyPath.ROOT);

    static Place of(Mark mark, KeyPath path) {
        return new Place(mark.getLine() + 1, mark.getColumn() + 1, path);
    }

    /** Here, for a key that is missing here. */
    Place missing(String key) {
        return new Place(line, column, path.key(key));
    }
}
