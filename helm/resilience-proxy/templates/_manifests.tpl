{{- define "resilience-proxy.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: resilience-proxy
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- /*
What the proxy needs beside the pod: its policy, and where values ask for them a PodMonitor and a PrometheusRule. There is no
checksum of the policy on the pod: a change is reloaded, and nothing restarts.
*/}}
{{- define "resilience-proxy.manifests" -}}
{{- $values := include "resilience-proxy.values" . | fromJson -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "resilience-proxy.fullname" . }}
  labels:
    {{- include "resilience-proxy.labels" . | nindent 4 }}
data:
  policy.yaml: |
    {{- include "resilience-proxy.policy" . | nindent 4 }}
{{- if $values.podMonitor.enabled }}
---
{{ include "resilience-proxy.podMonitor" . }}
{{- end }}
{{- if $values.prometheusRule.enabled }}
---
{{ include "resilience-proxy.prometheusRule" . }}
{{- end }}
{{- end -}}

{{- define "resilience-proxy.podMonitor" -}}
{{- $monitor := (include "resilience-proxy.values" . | fromJson).podMonitor -}}
{{- $usual := dict "app.kubernetes.io/name" .Chart.Name "app.kubernetes.io/instance" .Release.Name -}}
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: {{ include "resilience-proxy.fullname" . }}
  labels:
    {{- include "resilience-proxy.labels" . | nindent 4 }}
    {{- with $monitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- $monitor.selector | default $usual | toYaml | nindent 6 }}
  podMetricsEndpoints:
    - port: proxy-admin
      path: /metrics
      interval: {{ $monitor.interval }}
{{- end -}}

{{- define "resilience-proxy.prometheusRule" -}}
{{- $rule := (include "resilience-proxy.values" . | fromJson).prometheusRule -}}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ include "resilience-proxy.fullname" . }}
  labels:
    {{- include "resilience-proxy.labels" . | nindent 4 }}
    {{- with $rule.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- (index .Subcharts "resilience-proxy").Files.Get "files/alerts.yaml" | nindent 2 }}
{{- end -}}
