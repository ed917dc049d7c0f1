/**
 * A policy file becomes a {@link io.resilienceproxy.policy.Policy}, or a list of everything that is wrong with it.
 *
 * <p>Three steps, each in terms of the one before: {@link SourceText} turns bytes into text that hides nothing;
 * {@link DocumentReader} turns text into a tree of maps, lists and scalars with their places; {@link PolicyReader} turns
 * the tree into records. A place that has been reported becomes {@link Value.Faulty} or an invalid {@link Setting}, and
 * later steps pass over it in silence, so that one mistake is one problem and all mistakes are found in one run.
 *
 * <p>The format is a subset of YAML, chosen so that no value can mean something that its writer did not see:
 *
 * <ul>
 *   <li>The text of a scalar counts, and the key alone says what type it has. Quotes change nothing: {@code 8501} and
 *       {@code "8501"} are the same port, and an upstream may be called {@code no}. Whole numbers are decimal without
 *       leading zeros; booleans are {@code true} and {@code false}.
 *   <li>A key without a value, {@code null} and {@code ~} are errors: a key that should have its default is left out.
 *   <li>Not supported, each with an error at its place: anchors and aliases, merge keys, tags, keys that are not scalars,
 *       a second document, an empty document, duplicate keys, tabs in indentation, a byte order mark, control characters
 *       (YAML's invisible line breaks among them).
 *   <li>Bounds: 1 MiB, 20 levels, 20,000 values, 100 items in a list, 500 keys in a map, 1,000 routes; see {@link DocumentReader}.
 *   <li><code>${NAME}</code> and <code>${NAME:fallback}</code> in a value are replaced from the environment, once, before
 *       the type is known; <code>$${</code> is a literal <code>${</code>; see {@link Substitution}.
 * </ul>
 *
 * <p>While settings are read, {@link Section} enters each into a {@link Ledger}: what {@link Explanation} prints is
 * therefore what was read. A {@link Type} says beside its parser how its values are written; config/policy.schema.json is
 * made from that, by a test. Every {@link Rule} that a finding names is explained in docs/validate.md.
 *
 * <p>Knows YAML, JSON for reports, the environment as a function, and {@code policy}. Never knows Netty, resilience4j or live state.
 */
@NullMarked
package io.resilienceproxy.config;

import org.jspecify.annotations.NullMarked;
