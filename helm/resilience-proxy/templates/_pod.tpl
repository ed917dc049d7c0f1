{{- /*
A pod's spec with the proxy in it: include "resilience-proxy.pod" (list . (include "the application's pod spec" .))

The proxy comes first, so that it serves before the application's own init containers begin (mode sidecar) or its containers
(mode container).
*/}}
{{- define "resilience-proxy.pod" -}}
{{- $top := index . 0 -}}
{{- $values := include "resilience-proxy.values" $top | fromJson -}}
{{- $spec := index . 1 | fromYaml -}}
{{- if hasKey $spec "Error" -}}
{{- fail (printf "resilience-proxy.pod: the pod's spec is not YAML: %s" $spec.Error) -}}
{{- end -}}
{{- $proxy := include "resilience-proxy.container" $top | fromYaml -}}
{{- if eq $values.mode "sidecar" -}}
{{- $_ := set $spec "initContainers" (prepend ($spec.initContainers | default list) $proxy) -}}
{{- else -}}
{{- $_ := set $spec "containers" (prepend ($spec.containers | default list) $proxy) -}}
{{- end -}}
{{- $volumes := include "resilience-proxy.volumes" $top | fromYamlArray -}}
{{- $_ := set $spec "volumes" (concat ($spec.volumes | default list) $volumes) -}}
{{- if not (hasKey $spec "terminationGracePeriodSeconds") -}}
{{- $_ := set $spec "terminationGracePeriodSeconds" $values.terminationGracePeriodSeconds -}}
{{- end -}}
{{- toYaml $spec -}}
{{- end -}}

{{- /*
A directory, never a subPath: what is mounted by subPath never changes again, and the policy is reloaded when it does.
*/}}
{{- define "resilience-proxy.volumes" -}}
{{- $values := include "resilience-proxy.values" . | fromJson -}}
- name: resilience-proxy-policy
  configMap:
    name: {{ include "resilience-proxy.fullname" . }}
{{- with $values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
