package shedjoin.state

import java.util.concurrent.{CompletableFuture, CompletionException, Executors}

/** A file that is made on another thread before it is written: in some file systems making one takes longer than writing
  * it.
  */
final private class FileAhead(files: StateFiles, name: String) {
  private val made = CompletableFuture.supplyAsync[PendingFile](() => files.create(name), FileAhead.threads)

  /** Waits for it, and throws what making it threw. */
  def get: PendingFile =
    try made.join()
    catch { case e: CompletionException => throw e.getCause }

  /** Does not wait: a file that is still to come is cancelled when it is there. */
  def cancel(): Unit = made.thenAccept(_.cancel())
}

private object FileAhead {

  /** As many as there are partitions that begin at once; they go when they are idle for a minute. */
  private val threads = Executors.newCachedThreadPool { task =>
    val thread = new Thread(task, "shedjoin-file-ahead")
    thread.setDaemon(true)
    thread
  }
}
