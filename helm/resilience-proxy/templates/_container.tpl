{{- define "resilience-proxy.image" -}}
{{- $image := (include "resilience-proxy.values" . | fromJson).image -}}
{{- $chart := index .Subcharts "resilience-proxy" -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default $chart.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "resilience-proxy.probe" -}}
{{- $probe := dict "httpGet" (dict "path" .path "port" "proxy-admin") -}}
{{- mergeOverwrite $probe .settings | toYaml -}}
{{- end -}}

{{- /*
The proxy's container, as one item of initContainers (mode sidecar) or containers (mode container). The shared listener is not
among its ports: it listens on loopback, for the pod alone.
*/}}
{{- define "resilience-proxy.container" -}}
{{- $values := include "resilience-proxy.values" . | fromJson -}}
name: resilience-proxy
image: {{ include "resilience-proxy.image" . }}
imagePullPolicy: {{ $values.image.pullPolicy }}
args: [run, --config, /etc/resilience-proxy/policy.yaml]
{{- if eq $values.mode "sidecar" }}
restartPolicy: Always
{{- else }}
lifecycle:
  # The kubelet starts the next container when this one is over.
  postStart:
    exec:
      command:
        - /opt/resilience-proxy/java/bin/java
        - "@/opt/resilience-proxy/jvm.options"
        - -jar
        - /opt/resilience-proxy/resilience-proxy.jar
        - ping
        - --admin=127.0.0.1:{{ include "resilience-proxy.adminPort" . }}
        - --wait=30s
{{- end }}
ports:
  - name: proxy-admin
    containerPort: {{ include "resilience-proxy.adminPort" . }}
{{- if or $values.env $values.jvmOptions }}
env:
  {{- with $values.jvmOptions }}
  - name: _JAVA_OPTIONS
    value: {{ join " " . | quote }}
  {{- end }}
  {{- with $values.env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- with $values.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
startupProbe:
  {{- include "resilience-proxy.probe" (dict "path" "/readyz" "settings" $values.startupProbe) | nindent 2 }}
livenessProbe:
  {{- include "resilience-proxy.probe" (dict "path" "/livez" "settings" $values.livenessProbe) | nindent 2 }}
readinessProbe:
  {{- include "resilience-proxy.probe" (dict "path" "/readyz" "settings" $values.readinessProbe) | nindent 2 }}
resources:
  {{- toYaml $values.resources | nindent 2 }}
securityContext:
  {{- toYaml $values.securityContext | nindent 2 }}
volumeMounts:
  - name: resilience-proxy-policy
    mountPath: /etc/resilience-proxy
    readOnly: true
{{- with $values.volumeMounts }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}
