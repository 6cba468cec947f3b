package shedjoin.state

import java.io.{IOException, InputStream, OutputStream}

/** Files whose writing fails after some bytes. */
final class FailingFiles(inner: StateFiles, failAfterBytes: Int) extends StateFiles {
  private var mended = false
  @volatile var failed = false

  def mend(): Unit = mended = true

  def path: String = inner.path
  def list(): Seq[String] = inner.list()
  def open(name: String): InputStream = inner.open(name)
  def delete(name: String): Unit = inner.delete(name)

  def create(name: String): PendingFile = new PendingFile {
    private val pending = inner.create(name)
    private var written = 0

    def out: OutputStream = new OutputStream {
      override def write(byte: Int): Unit = {
        if (!mended && written >= failAfterBytes) {
          failed = true
          throw new IOException(FailingFiles.Message)
        }
        written += 1
        pending.out.write(byte)
      }
    }

    def commit(): Unit = pending.commit()
    def cancel(): Unit = pending.cancel()
  }
}

object FailingFiles {
  val Message = "the disk is full, says the test"
}
