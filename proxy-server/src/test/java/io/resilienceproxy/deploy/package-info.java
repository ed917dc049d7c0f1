/** What users deploy: the image's steps, the charts, the alert rules and the laptop's composition, driven by the real tools. */
@NullMarked
package io.resilienceproxy.deploy;

import org.jspecify.annotations.NullMarked;
