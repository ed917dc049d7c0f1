{{- /*
The values of this chart, of the application's chart that includes it.
*/}}
{{- define "resilience-proxy.values" -}}
{{- $values := index .Values "resilience-proxy" | required "resilience-proxy: there are no values; is it a dependency of the chart, under that name?" -}}
{{- if not (dig "policy" "upstreams" dict $values) -}}
{{- fail "resilience-proxy.policy.upstreams: none (expected: the upstreams that the proxy is to guard)" -}}
{{- end -}}
{{- if and (eq $values.mode "sidecar") (not (semverCompare ">=1.29.0-0" .Capabilities.KubeVersion.Version)) -}}
{{- fail (printf "resilience-proxy.mode: sidecar (expected: container, because native sidecars begin with Kubernetes 1.29 and this is %s)" .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- $values | toJson -}}
{{- end -}}

{{- define "resilience-proxy.fullname" -}}
{{- printf "%s-%s-proxy" (.Release.Name | trunc 30) (.Chart.Name | trunc 26) | replace "--" "-" -}}
{{- end -}}

{{- /*
The policy as values, with what this chart decides where they do not.
*/}}
{{- define "resilience-proxy.policy" -}}
{{- $values := include "resilience-proxy.values" . | fromJson -}}
{{- $decided := dict "admin" (dict "host" "0.0.0.0") -}}
{{- if eq $values.mode "container" -}}
{{- $_ := set $decided "shutdown" (dict "quiet-period" "10s") -}}
{{- end -}}
{{- mergeOverwrite $decided $values.policy | toYaml -}}
{{- end -}}

{{- define "resilience-proxy.adminPort" -}}
{{- dig "admin" "port" 9480 (include "resilience-proxy.policy" . | fromYaml) | toString -}}
{{- end -}}
