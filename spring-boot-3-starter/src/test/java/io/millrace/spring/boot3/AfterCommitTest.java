package io.millrace.spring.boot3;

import io.millrace.spring.contract.AfterCommitContractTest;

class AfterCommitTest extends AfterCommitContractTest {}
