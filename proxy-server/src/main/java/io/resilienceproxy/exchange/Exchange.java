package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.http.RetryAfter;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.pool.Tried;
import io.resilienceproxy.resilience.RetryDecider;
import io.resilienceproxy.resilience.RetryDecision;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request and its one response. The order, and why:
 *
 * <ul>
 *   <li>route before deadline, because the policy supplies the timeout;
 *   <li>one deadline, set once: queueing, connecting, every attempt and every pause spend it;
 *   <li>the breaker is asked per attempt, because each try is evidence; then the bulkhead, which is not held in a pause;
 *   <li>the response's head decides about a retry, because nothing of it has been forwarded yet; its end settles the
 *       attempt, so that a body that breaks off is a failure;
 *   <li>the budget is asked last of all, so that a retry that could not follow costs nothing.
 * </ul>
 *
 * <p>States: attempting (the {@link Attempt} knows its phase), backing off, tunnelling, done. Every path ends in {@link #finish}, once;
 * every attempt in {@link Attempt#end}, once. All of it on the caller's event loop. Longer than other files because the states
 * and their ends are read together.
 */
public final class Exchange {

    /** Half of what fits, so that differences to it do not overflow. */
    private static final long NO_DEADLINE_NANOS = Long.MAX_VALUE / 2;

    private enum State {
        ATTEMPTING,
        BACKING_OFF,
        TUNNELLING,
        DONE
    }

    private final RouteBinding binding;
    private final RequestHead request;
    private final int prefixLength;
    private final Downstream downstream;
    private final Clock clock;
    private final long startNanos;
    private final RequestBody body;
    private final AttemptHistory history = new AttemptHistory();

    private State state = State.ATTEMPTING;
    private long deadlineNanos;
    private boolean callerSetDeadline;
    private @Nullable Attempt attempt;
    private @Nullable Tunnel tunnel;
    private boolean continued;
    private boolean retriedAbove;
    private final Priority priority;
    private final Degradation degradation;

    Exchange(RouteBinding binding, RequestHead request, int prefixLength, Downstream downstream, Clock clock) {
        this.binding = binding;
        this.request = request;
        this.prefixLength = prefixLength;
        this.downstream = downstream;
        this.clock = clock;
        this.startNanos = clock.nanoTime();
        this.body = new RequestBody(downstream, binding.route.policy().retry().maxReplayBody());
        this.priority = Urgency.of(request.fields(), binding.route.policy().priority());
        this.degradation = Degradation.of(binding.fallback, request);
    }

    RouteBinding binding() {
        return binding;
    }

    Priority priority() {
        return priority;
    }

    /** When it is too late to wait for a permit: an attempt of usual length would not end in time. */
    long lateNanos() {
        return deadlineNanos - binding.usualHead.nanos();
    }

    Downstream downstream() {
        return downstream;
    }

    long now() {
        return clock.nanoTime();
    }

    public boolean isDone() {
        return state == State.DONE;
    }

    /** Begins; to be called once, when the downstream knows that this is its exchange. */
    public void start() {
        binding.listener.onStarted();
        retriedAbove = RetryLayers.isRetry(request.fields());
        if (retriedAbove) {
            binding.listener.onRetriedAbove();
        }
        if (request.bodyLength() == BodyLength.ABSENT) {
            body.end(null);
        }
        setDeadline();
        startAttempt();
    }

    private void setDeadline() {
        long allowed = binding.callNanos;
        long callerMillis = CallerDeadline.read(request.fields(), binding.deadlineField);
        if (callerMillis == CallerDeadline.MALFORMED) {
            binding.listener.onDeadlineMalformed();
        } else if (callerMillis != CallerDeadline.ABSENT) {
            callerSetDeadline = true;
            allowed = Math.min(allowed, TimeUnit.MILLISECONDS.toNanos(callerMillis));
        }
        deadlineNanos = startNanos + allowed;
    }

    private void startAttempt() {
        state = State.ATTEMPTING;
        attempt = new Attempt(this);
        if (remainingMillisForUpstream(now()) <= 0) {
            onRejected(Rejection.DEADLINE_EXHAUSTED);
            return;
        }
        attempt.start();
    }

    /** What the upstream is told: the remaining time less what is kept back for the way home. */
    long remainingMillisForUpstream(long now) {
        return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - now - binding.deadlineBufferNanos);
    }

    /** The attempt has passed the gates. */
    void onAdmitted() {
        history.onAdmitted();
    }

    void onTried(@Nullable Endpoint endpoint) {
        history.onTried(endpoint);
    }

    @Nullable
    Tried tried() {
        return history.tried();
    }

    void send(Connection to, SiteBinding site, long remainingMillis) {
        to.sendHead(request, prefixLength, site.rewrite, remainingMillis, history.attempts());
        body.attach(to);
    }

    /** The next piece of the request's body; its ownership passes. */
    public void onRequestBody(ByteBuf piece) {
        body.add(piece);
        touch();
    }

    /** The request is whole. */
    public void onRequestEnd(@Nullable HttpHeaders trailers) {
        if (!body.hasEnded()) {
            body.end(trailers);
            touch();
        }
    }

    private void touch() {
        if (attempt != null) {
            attempt.touch();
        }
    }

    /** All that one read of the caller brought has been delivered. */
    public void onReadComplete() {
        body.flush();
    }

    RequestBody body() {
        return body;
    }

    /** Nobody's silence but the caller's: it owes the rest of its body, or does not take what it is sent. */
    boolean waitsForCaller() {
        boolean relaying = attempt != null && attempt.phase() == Attempt.Phase.STREAMING;
        return relaying ? !downstream.isWritable() : body.waitsForCaller();
    }

    /** The caller takes more of the response again, or not. */
    public void onDownstreamWritability() {
        if (attempt != null && attempt.phase() == Attempt.Phase.STREAMING && attempt.connection() != null) {
            attempt.touch();
            attempt.connection().reading(downstream.isWritable());
        }
    }

    /** An interim response is relayed to callers that know them; of several attempts only one says to go on. */
    void onInformational(ResponseHead head) {
        boolean repeated = head.status() == 100 && continued;
        continued |= head.status() == 100;
        if (request.isHttp11() && !repeated) {
            downstream.informational(head);
        }
    }

    void onHead(ResponseHead head) {
        Attempt current = current();
        current.site().addresses.toCaller(head.fields(), request, prefixLength);
        AttemptOutcome outcome = AttemptOutcome.response(head.status());
        Verdict verdict = binding.verdict(head.status());
        if (verdict == Verdict.FAILURE || binding.stream) {
            current.settleBreaker(verdict);
        }
        long retryAfter = head.status() < 400 ? RetryAfter.NONE : RetryAfter.nanos(head.fields(), clock.now());
        if (decide(outcome, otherLayer(head), retryAfter) instanceof RetryDecision.Retry retry) {
            history.hold(head, current.detachConnection());
            current.end(outcome, verdict);
            backOff(retry);
            return;
        }
        history.onAnswered();
        if (degradation.replaces(head.status(), verdict, now())) {
            return;
        }
        degradation.onAnswer(head, verdict, startNanos);
        if (binding.stream && !callerSetDeadline) {
            deadlineNanos = startNanos + NO_DEADLINE_NANOS;
        }
        downstream.head(head, proxyStatus());
    }

    /** A tunnel keeps its bulkhead permit for its life; the breaker has learned what it wanted to know. */
    void onUpgraded(ResponseHead head) {
        current().settleBreaker(Verdict.SUCCESS);
        history.onAnswered();
        deadlineNanos = startNanos + NO_DEADLINE_NANOS;
        state = State.TUNNELLING;
        body.close();
        tunnel = new Tunnel(this, current().detachConnection());
        downstream.upgrade(head, tunnel);
    }

    /** By whichever side, or in silence: an end in order, there is no response that could be cut short. */
    void onTunnelEnded() {
        if (tunnel != null) {
            tunnel.close();
        }
        onResponseEnd(null);
    }

    private @Nullable AsciiString proxyStatus() {
        return history.attempts() > 1
                ? ProxyStatus.at(ProxyStatus.attempts(history.attempts()), history.lastEndpoint())
                : null;
    }

    void onResponseBody(ByteBuf piece) {
        if (degradation.isReplacing()) {
            if (!degradation.drop(piece)) {
                onReplaced();
            }
            return;
        }
        degradation.onBody(piece);
        downstream.body(piece);
        if (!downstream.isWritable() && attempt != null && attempt.connection() != null) {
            attempt.connection().reading(false);
        }
    }

    void onResponseEnd(@Nullable HttpHeaders trailers) {
        Attempt current = current();
        if (current.connection() != null) {
            current.detachConnection().release();
        }
        if (degradation.isReplacing()) {
            onReplaced();
            return;
        }
        degradation.onEnd(trailers);
        Verdict verdict = binding.verdict(current.status());
        current.end(AttemptOutcome.response(current.status()), verdict);
        if (verdict == Verdict.SUCCESS) {
            binding.route.budget().deposit();
        }
        finish(Ending.RESPONSE, null, current.status());
        downstream.end(trailers);
    }

    /** The response broke off behind its head: the caller must see that, and nothing can be repeated. */
    void onBroken(Verdict verdict) {
        if (degradation.isReplacing()) {
            onReplaced();
            return;
        }
        Attempt current = current();
        int status = current.status();
        current.end(AttemptOutcome.failure(FailureKind.TRUNCATED_RESPONSE, Delivery.UNKNOWN), verdict);
        finish(Ending.RESPONSE_ABORTED, null, status);
        downstream.abort();
    }

    /** A failure has been read to its end, as far as that was worth it: the caller gets something better. */
    private void onReplaced() {
        int status = current().status();
        current().end(AttemptOutcome.response(status), Verdict.FAILURE);
        degrade(null, received(status));
    }

    private AsciiString received(int status) {
        return ProxyStatus.at(ProxyStatus.received(status, history.attempts()), history.lastEndpoint());
    }

    private void degrade(@Nullable Reason reason, AsciiString proxyStatus) {
        Degradation.Substitute given = degradation.substitute();
        finish(given.ending(), reason, given.status());
        given.give(downstream, proxyStatus);
    }

    /** The failure that it explains comes next. */
    void onTlsAlert(TlsAlert alert) {
        history.onTlsAlert(alert);
    }

    /** Tried, and failed before a response head. */
    void onFailed(FailureKind kind, Delivery sent) {
        AttemptOutcome outcome = AttemptOutcome.failure(kind, sent);
        current().end(outcome, Verdict.FAILURE);
        history.onFailed(kind, sent);
        if (decide(outcome, otherLayer(null), RetryAfter.NONE) instanceof RetryDecision.Retry retry) {
            backOff(retry);
        } else {
            answer(Reason.of(kind), LocalAnswer.NO_RETRY_AFTER);
        }
    }

    private RetryDecision.@Nullable Stop otherLayer(@Nullable ResponseHead head) {
        if (retriedAbove) {
            return RetryDecision.Stop.RETRIED_ABOVE;
        }
        return head != null && RetryLayers.isRefusal(head) ? RetryDecision.Stop.REFUSED_BELOW : null;
    }

    private RetryDecision decide(
            AttemptOutcome outcome, RetryDecision.@Nullable Stop otherLayer, long retryAfterNanos) {
        RetryDecision decision = binding.route
                .retries()
                .decide(
                        history.attempts(),
                        outcome,
                        binding.isRepeatable(request),
                        body.isWhole(),
                        otherLayer,
                        binding.isCircuitRefusing(),
                        retryAfterNanos == RetryAfter.NONE ? RetryDecider.NO_RETRY_AFTER : retryAfterNanos,
                        deadlineNanos - now());
        if (decision instanceof RetryDecision.Stop stop && stop != RetryDecision.Stop.NOT_RETRYABLE) {
            binding.listener.onRetryRefused(stop);
        } else if (decision instanceof RetryDecision.Retry retry && retry.overruled() != null) {
            binding.listener.onWouldRefuseRetry(retry.overruled());
        }
        return decision;
    }

    /** A pooled connection was dead already: the same attempt may go to a fresh one, at no one's cost. */
    boolean mayRedial(boolean sent) {
        boolean may = body.isWhole() && (!sent || binding.isRepeatable(request));
        if (may && sent) {
            history.onSent();
        }
        return may;
    }

    /** Also a pause of nothing ends on the timer: what is left of a held answer in this read comes before that. */
    private void backOff(RetryDecision.Retry retry) {
        binding.listener.onRetry(retry.reason());
        attempt = null;
        state = State.BACKING_OFF;
        armPhase(now() + retry.delayNanos());
    }

    private void retry() {
        history.beforeNextAttempt();
        startAttempt();
    }

    /** Refused: the first attempt's caller is told so; a later one's gets the last real outcome. */
    void onRejected(Rejection rejection) {
        Attempt current = current();
        boolean afterConnecting = current.phase() == Attempt.Phase.CONNECTING;
        current.end(
                AttemptOutcome.rejected(rejection),
                afterConnecting && rejection == Rejection.DEADLINE_EXHAUSTED
                        ? current.verdictWhenCutShort()
                        : Verdict.IGNORED);
        HeldResponse last = history.takeHeld();
        FailureKind lastFailure = history.lastFailure();
        if (last != null && degradation.replaces(last.status(), binding.verdict(last.status()), now())) {
            last.close();
            degrade(null, received(last.status()));
        } else if (last != null) {
            finish(Ending.RESPONSE, null, last.status());
            last.relay(downstream, proxyStatus());
        } else if (lastFailure != null) {
            answer(Reason.of(lastFailure), LocalAnswer.NO_RETRY_AFTER);
        } else {
            answer(Reason.of(rejection), binding.retryAfterSeconds(rejection));
        }
    }

    /** Runs on the downstream's timer: the pause, the phase or the deadline is over. */
    public void onTimer() {
        long now = now();
        if (state == State.BACKING_OFF) {
            retry();
        } else if (state == State.ATTEMPTING && deadlineNanos - now <= 0) {
            onDeadline();
        } else if (state == State.ATTEMPTING) {
            current().onPhaseTimer(now);
        } else if (tunnel != null) {
            tunnel.onTimer(now);
        }
    }

    private void onDeadline() {
        Attempt current = current();
        switch (current.phase()) {
            case QUEUED -> current.onPhaseTimer(now());
            case CONNECTING -> onRejected(Rejection.DEADLINE_EXHAUSTED);
            case AWAITING_HEAD -> {
                if (waitsForCaller()) {
                    onCallerFault(Reason.REQUEST_TIMEOUT);
                } else {
                    onFailed(FailureKind.CALL_TIMEOUT, current.mayHaveSent() ? Delivery.UNKNOWN : Delivery.NOT_SENT);
                }
            }
            case STREAMING -> onBroken(waitsForCaller() ? Verdict.IGNORED : Verdict.FAILURE);
            case OVER -> throw new IllegalStateException("timer of an attempt that is over");
        }
    }

    /** The rest of the request is malformed or does not come: no one's fault but the caller's. */
    public void onCallerFault(Reason reason) {
        if (state == State.DONE) {
            return;
        }
        boolean responding =
                attempt != null && attempt.phase() == Attempt.Phase.STREAMING && !degradation.isReplacing();
        int status = attempt == null ? 0 : attempt.status();
        abandonAttempt(Verdict.IGNORED);
        if (responding) {
            finish(Ending.RESPONSE_ABORTED, null, status);
            downstream.abort();
        } else {
            answer(reason, LocalAnswer.NO_RETRY_AFTER);
        }
    }

    /** The caller has gone: everything is given back, the upstream's connection is closed. */
    public void onCallerLeft() {
        if (state == State.DONE) {
            return;
        }
        if (state == State.TUNNELLING) {
            onTunnelEnded();
            return;
        }
        int status = attempt == null ? 0 : attempt.status();
        if (attempt != null) {
            boolean responding = attempt.phase() == Attempt.Phase.STREAMING;
            abandonAttempt(responding ? binding.verdict(status) : attempt.verdictWhenCutShort());
        }
        finish(Ending.CALLER_LEFT, null, status);
    }

    private void abandonAttempt(Verdict verdict) {
        if (attempt != null) {
            if (attempt.mayHaveSent()) {
                history.onSent();
            }
            attempt.end(AttemptOutcome.abandoned(), verdict);
            attempt = null;
        }
    }

    private void answer(Reason reason, long retryAfterSeconds) {
        boolean close = reason == Reason.BAD_REQUEST || reason == Reason.REQUEST_TIMEOUT;
        Delivery delivery = history.delivery();
        TlsAlert alert = history.alert();
        LocalAnswer known = reason == Reason.TLS_ALERT && alert != null
                ? binding.answers.get(alert, delivery, history.attempts())
                : binding.answers.get(reason, delivery, history.attempts());
        LocalAnswer own = known.with(history.lastEndpoint(), retryAfterSeconds, close);
        if (!close && degradation.find(now())) {
            degrade(reason, own.proxyStatus());
            return;
        }
        finish(delivery == Delivery.UNKNOWN ? Ending.UNKNOWN : Ending.NOT_SENT, reason, reason.status());
        downstream.answer(own);
    }

    private void finish(Ending ending, @Nullable Reason reason, int status) {
        if (state == State.DONE) {
            throw new IllegalStateException("exchange ended twice");
        }
        state = State.DONE;
        attempt = null;
        tunnel = null;
        downstream.timer().disarm();
        body.close();
        history.close();
        degradation.close();
        Endpoint last = history.lastEndpoint();
        String endpoint = last == null ? null : last.toString();
        binding.listener.onEnded(ending, reason, status, history.attempts(), endpoint, now() - startNanos);
    }

    /** Sets the end of the current phase; the deadline comes first where it is earlier. */
    void armPhase(long dueNanos) {
        downstream.timer().arm(deadlineNanos - dueNanos < 0 ? deadlineNanos : dueNanos);
    }

    private Attempt current() {
        if (attempt == null) {
            throw new IllegalStateException("no attempt in state " + state);
        }
        return attempt;
    }
}
