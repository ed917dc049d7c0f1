package io.resilienceproxy.health;

import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.Upstream;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The breakers, bulkheads and budgets of an upstream as members of a JSON object: its own, and those that routes have for themselves. */
final class ProtectionsJson {

    private ProtectionsJson() {}

    /** Names need no escapes: they are put together from names and sites of the policy, which have no quotes. */
    static void append(StringBuilder json, Upstream upstream) {
        Map<String, Breaker> breakers = new LinkedHashMap<>();
        Map<String, Bulkhead> bulkheads = new LinkedHashMap<>();
        Map<String, RetryBudget> budgets = new LinkedHashMap<>();
        upstream.breakers().forEach(breaker -> breakers.put(breaker.name(), breaker));
        bulkheads.put(upstream.name(), upstream.bulkhead());
        budgets.put(upstream.name(), upstream.budget());
        for (Route route : upstream.routes()) {
            route.breakers().forEach(breaker -> breakers.put(breaker.name(), breaker));
            bulkheads.put(route.bulkhead().name(), route.bulkhead());
            if (route.budget() != upstream.budget()) {
                budgets.put(upstream.name() + "." + route.name(), route.budget());
            }
        }
        json.append(",\"breakers\":[");
        breakers.forEach((name, breaker) -> next(json, name)
                .append(",\"state\":\"")
                .append(breaker.state().token())
                .append("\",\"open_for_ms\":")
                .append(TimeUnit.NANOSECONDS.toMillis(breaker.remainingOpenNanos()))
                .append('}'));
        json.append("],\"bulkheads\":[");
        bulkheads.forEach((name, bulkhead) -> next(json, name)
                .append(",\"limit\":")
                .append(bulkhead.limit())
                .append(",\"available\":")
                .append(bulkhead.available())
                .append(",\"waiting\":")
                .append(bulkhead.waiting())
                .append('}'));
        json.append("],\"budgets\":[");
        budgets.forEach((name, budget) -> next(json, name)
                .append(",\"tokens\":")
                .append(tokens(budget.balanceThousandths()))
                .append(",\"max\":")
                .append(tokens(budget.maxThousandths()))
                .append('}'));
        json.append(']');
    }

    private static StringBuilder next(StringBuilder json, String name) {
        boolean first = json.charAt(json.length() - 1) == '[';
        return json.append(first ? "" : ",").append("{\"name\":\"").append(name).append('"');
    }

    private static String tokens(int thousandths) {
        return BigDecimal.valueOf(thousandths, 3).toPlainString();
    }
}
