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
import io.resilienceproxy.resilience.RetryDecision;
import io.resilienceproxy.time.Clock;
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

    private static final AsciiString DATE = AsciiString.cached("Date");

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
    private final Deadline deadline;
    private final RequestBody body;
    private final AttemptHistory history = new AttemptHistory();
    private final Reply reply;
    private final Priority priority;
    private final boolean retriedAbove;

    private State state = State.ATTEMPTING;
    private @Nullable Attempt attempt;
    private @Nullable Tunnel tunnel;
    private boolean continued;

    Exchange(RouteBinding binding, RequestHead request, int prefixLength, Downstream downstream, Clock clock) {
        this.binding = binding;
        this.request = request;
        this.prefixLength = prefixLength;
        this.downstream = downstream;
        this.clock = clock;
        this.deadline = Deadline.of(request.fields(), binding, clock.nanoTime());
        this.body = new RequestBody(downstream, binding.route.policy().retry().maxReplayBody());
        this.priority = Urgency.of(request.fields(), binding.route.policy().priority());
        this.retriedAbove = RetryLayers.isRetry(request.fields());
        this.reply = new Reply(this, request, prefixLength, history);
    }

    RouteBinding binding() {
        return binding;
    }

    Priority priority() {
        return priority;
    }

    /** When it is too late to wait for a permit: an attempt of usual length would not end in time. */
    long lateNanos() {
        return deadline.before(binding.usualHead.nanos());
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
        if (retriedAbove) {
            binding.listener.onRetriedAbove();
        }
        if (request.bodyLength() == BodyLength.ABSENT) {
            body.end(null);
        }
        startAttempt();
    }

    private void startAttempt() {
        state = State.ATTEMPTING;
        attempt = new Attempt(this);
        if (deadline.remainingMillisForUpstream(now()) <= 0) {
            onRejected(Rejection.DEADLINE_EXHAUSTED);
            return;
        }
        attempt.start();
    }

    Deadline deadline() {
        return deadline;
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
        return relaying ? !downstream.isWritable() : body.waitsForCaller() && !awaitsContinue();
    }

    /** The caller waits for the upstream's word before it sends its body: until then the silence is the upstream's. */
    private boolean awaitsContinue() {
        return request.expectsContinue() && !continued && !body.hasBegun();
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
        if (!head.fields().contains(DATE)) {
            // RFC 9110 section 6.6.1: who forwards or keeps a response that has none says when it came.
            head.fields().set(DATE, downstream.date());
        }
        AttemptOutcome outcome = AttemptOutcome.response(head.status());
        Verdict verdict = binding.verdict(head.status());
        if (verdict == Verdict.FAILURE || binding.stream) {
            current.settleBreaker(verdict);
        }
        long retryAfter = head.status() < 400 ? RetryAfter.NONE : RetryAfter.nanos(head.fields(), clock.now());
        if (decide(outcome, head, retryAfter) instanceof RetryDecision.Retry retry) {
            history.hold(head, current.detachConnection());
            current.end(outcome, verdict);
            backOff(retry);
            return;
        }
        history.onAnswered();
        if (!reply.relays(head, verdict)) {
            return;
        }
        if (binding.stream) {
            deadline.liftPolicys();
        }
        reply.head(head, verdict, deadline.startNanos());
    }

    /** A tunnel keeps its bulkhead permit for its life; the breaker has learned what it wanted to know. */
    void onUpgraded(ResponseHead head) {
        current().settleBreaker(Verdict.SUCCESS);
        history.onAnswered();
        deadline.lift();
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

    void onResponseBody(ByteBuf piece) {
        if (!reply.body(piece)) {
            onReplaced();
        } else if (!downstream.isWritable() && attempt != null && attempt.connection() != null) {
            attempt.connection().reading(false);
        }
    }

    void onResponseEnd(@Nullable HttpHeaders trailers) {
        Attempt current = current();
        if (current.connection() != null) {
            current.detachConnection().release();
        }
        if (reply.isReplacing()) {
            onReplaced();
            return;
        }
        Verdict verdict = binding.verdict(current.status());
        current.end(AttemptOutcome.response(current.status()), verdict);
        if (verdict == Verdict.SUCCESS) {
            binding.route.budget().deposit();
        }
        reply.end(trailers, current.status());
    }

    /** The response broke off behind its head: the caller must see that, and nothing can be repeated. */
    void onBroken(Verdict verdict) {
        if (reply.isReplacing()) {
            onReplaced();
            return;
        }
        Attempt current = current();
        int status = current.status();
        current.end(AttemptOutcome.failure(FailureKind.TRUNCATED_RESPONSE, Delivery.UNKNOWN), verdict);
        reply.abort(status);
    }

    /** A failure has been read to its end, as far as that was worth it: the caller gets something better. */
    private void onReplaced() {
        int status = current().status();
        current().end(AttemptOutcome.response(status), Verdict.FAILURE);
        reply.replace(status);
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
        if (decide(outcome, null, RetryAfter.NONE) instanceof RetryDecision.Retry retry) {
            backOff(retry);
        } else {
            reply.answer(Reason.of(kind), LocalAnswer.NO_RETRY_AFTER);
        }
    }

    private RetryDecision decide(AttemptOutcome outcome, @Nullable ResponseHead head, long retryAfterNanos) {
        return binding.retries.decide(
                history,
                outcome,
                request,
                body.isWhole(),
                head,
                retriedAbove,
                retryAfterNanos,
                deadline.remainingNanos(now()));
    }

    /** A pooled connection was dead already: the same attempt may go to a fresh one, at no one's cost. */
    boolean mayRedial(boolean sent) {
        boolean may = body.isWhole() && (!sent || binding.retries.mayRedial(request));
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
        if (last != null) {
            reply.held(last);
        } else if (lastFailure != null) {
            reply.answer(Reason.of(lastFailure), LocalAnswer.NO_RETRY_AFTER);
        } else {
            reply.answer(Reason.of(rejection), binding.retryAfterSeconds(rejection));
        }
    }

    /** Runs on the downstream's timer: the pause, the phase or the deadline is over. */
    public void onTimer() {
        long now = now();
        if (state == State.BACKING_OFF) {
            retry();
        } else if (state == State.ATTEMPTING && deadline.remainingNanos(now) <= 0) {
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
        boolean responding = attempt != null && attempt.phase() == Attempt.Phase.STREAMING && !reply.isReplacing();
        int status = attempt == null ? 0 : attempt.status();
        abandonAttempt(Verdict.IGNORED);
        if (responding) {
            reply.abort(status);
        } else {
            reply.answer(reason, LocalAnswer.NO_RETRY_AFTER);
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

    /** Everything is given back; once, and before the last of the answer goes out. */
    void finish(Ending ending, @Nullable Reason reason, int status) {
        if (state == State.DONE) {
            throw new IllegalStateException("exchange ended twice");
        }
        state = State.DONE;
        attempt = null;
        tunnel = null;
        downstream.timer().disarm();
        body.close();
        history.close();
        reply.close();
        Endpoint last = history.lastEndpoint();
        String endpoint = last == null ? null : last.toString();
        binding.listener.onEnded(ending, reason, status, history.attempts(), endpoint, now() - deadline.startNanos());
    }

    /** Sets the end of the current phase; the deadline comes first where it is earlier. */
    void armPhase(long dueNanos) {
        downstream.timer().arm(deadline.orEarlier(dueNanos));
    }

    private Attempt current() {
        if (attempt == null) {
            throw new IllegalStateException("no attempt in state " + state);
        }
        return attempt;
    }
}
