package io.millrace.spring.boot3;

import io.millrace.spring.contract.RestartContractTest;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RestartTest extends RestartContractTest {}
