package peer;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.circuitbreaker.resilience4j.ReactiveResilience4JCircuitBreakerFactory;
import org.springframework.cloud.circuitbreaker.resilience4j.ReactiveResilience4jBulkheadProvider;
import org.springframework.cloud.circuitbreaker.resilience4j.Resilience4JConfigBuilder;
import org.springframework.cloud.circuitbreaker.resilience4j.Resilience4jBulkheadConfigurationBuilder;
import org.springframework.cloud.client.circuitbreaker.Customizer;
import org.springframework.context.annotation.Bean;

/** A gateway whose routes come from the file that load-tests/run.py writes; the breaker is as the proxy's policy has it. */
@SpringBootApplication
public class GatewayPeer {

    public static void main(String[] args) {
        SpringApplication.run(GatewayPeer.class, args);
    }

    @Bean
    Customizer<ReactiveResilience4JCircuitBreakerFactory> breakers() {
        CircuitBreakerConfig breaker = CircuitBreakerConfig.custom()
                .slidingWindowSize(50)
                .minimumNumberOfCalls(10)
                .failureRateThreshold(80)
                .slowCallDurationThreshold(Duration.ofSeconds(1))
                .slowCallRateThreshold(50)
                .waitDurationInOpenState(Duration.ofSeconds(5))
                .permittedNumberOfCallsInHalfOpenState(3)
                .build();
        TimeLimiterConfig limit =
                TimeLimiterConfig.custom().timeoutDuration(Duration.ofSeconds(8)).build();
        return factory -> factory.configureDefault(id -> new Resilience4JConfigBuilder(id)
                .circuitBreakerConfig(breaker)
                .timeLimiterConfig(limit)
                .build());
    }

    /** Without this the starter's bulkhead admits 25 calls, and 64 connections would measure refusals. */
    @Bean
    Customizer<ReactiveResilience4jBulkheadProvider> bulkheads() {
        BulkheadConfig bulkhead = BulkheadConfig.custom().maxConcurrentCalls(64).build();
        return provider -> provider.configureDefault(id -> new Resilience4jBulkheadConfigurationBuilder()
                .bulkheadConfig(bulkhead)
                .build());
    }
}
