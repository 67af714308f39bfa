package io.penstock.am.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.am.core.Ending;
import io.penstock.am.core.Event;
import io.penstock.yarn.ContainerEnd;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.junit.jupiter.api.Test;

class HeartbeatErrorsTest {
  @Test
  void anAskThatNoNodeCanMeetIsARefusalInTheResourceManagersWords() {
    Throwable error =
        new YarnException(
            "wrapped", new InvalidResourceRequestException("yarn.io/gpu 64 > 2\n\tat org.x.Y"));
    assertEquals(
        Optional.of(new Event.AskRefused("yarn.io/gpu 64 > 2")), HeartbeatErrors.refusal(error));
    assertEquals(Optional.empty(), HeartbeatErrors.fatal(error));
  }

  @Test
  void anAttemptThatIsNotKnownAndATokenThatIsNotValidAreFatal() {
    assertEquals(
        Optional.of("ApplicationAttemptNotFoundException: attempt 1 is gone"),
        HeartbeatErrors.fatal(new ApplicationAttemptNotFoundException("attempt 1 is gone")));
    assertEquals(
        Optional.of("InvalidToken: too old"),
        HeartbeatErrors.fatal(new IOException(new SecretManager.InvalidToken("too old"))));
  }

  @Test
  void aResourceManagerThatIsAwayIsNeither() {
    Throwable error = new IOException(new ConnectException("refused"));
    assertEquals(Optional.empty(), HeartbeatErrors.refusal(error));
    assertEquals(Optional.empty(), HeartbeatErrors.fatal(error));
  }

  @Test
  void everyVerdictHasAnEnding() {
    assertEquals(
        List.of(Ending.DONE, Ending.FAILED, Ending.LOST, Ending.FATAL),
        Arrays.stream(ContainerEnd.Verdict.values()).map(YarnCluster::ending).toList());
  }
}
