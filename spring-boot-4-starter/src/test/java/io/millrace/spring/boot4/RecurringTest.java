package io.millrace.spring.boot4;

import io.millrace.spring.contract.RecurringContractTest;

class RecurringTest extends RecurringContractTest {}
