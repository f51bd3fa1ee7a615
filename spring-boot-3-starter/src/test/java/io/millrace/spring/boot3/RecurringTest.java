package io.millrace.spring.boot3;

import io.millrace.spring.contract.RecurringContractTest;

class RecurringTest extends RecurringContractTest {}
