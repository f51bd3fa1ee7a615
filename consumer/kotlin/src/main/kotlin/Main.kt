import io.millrace.api.ClaimOptions
import io.millrace.api.CompleteResult
import io.millrace.engine.JobEngine

/** Enqueues, claims and completes a job. */
fun main() {
  JobEngine.open("memory:kotlin").use { engine ->
    val queue = engine.queue("demo")
    queue.enqueue("a job".toByteArray())
    for (lease in queue.claim(ClaimOptions.by("worker").max(1))) {
      val text = String(lease.payload())
      check(lease.complete() == CompleteResult.COMPLETED)
      println("memory: $text, Kotlin ${KotlinVersion.CURRENT}")
    }
  }
}
