import io.millrace.engine.JobEngine
import io.millrace.spi.ReadView

/** Refused: a location is never null. */
fun nothingAsLocation(): JobEngine = JobEngine.open(null)

/** Refused: there may be no value under a key. */
fun length(view: ReadView, key: ByteArray): Int = view.get(key).size
