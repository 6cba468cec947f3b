package shedjoin.bench.data

import java.nio.charset.StandardCharsets.US_ASCII
import java.nio.file.attribute.FileTime
import java.nio.file.{Files, Path}

import scala.util.Using

import org.apache.commons.io.FileUtils

/** The rows of a side as files: a folder of CSV without a header, columns key, milliseconds since 1970, value. */
final class CsvFiles(rows: SideRows, folder: Path) {
  import CsvFiles._

  private val maker = new RowMaker(rows)

  /** Writes the files that are not there yet. A source takes them in the order of their times. */
  def write(): Unit = {
    Files.createDirectories(folder)
    forgetOthers()
    for (batch <- 0 until rows.batches; part <- 0 until FilesABatch) {
      val file = folder.resolve(f"$batch%04d-$part.csv")
      if (!Files.exists(file)) {
        val unfinished = folder.resolve(s".${file.getFileName}")
        write(unfinished, placeOf(batch, part), placeOf(batch, part + 1))
        Files.setLastModifiedTime(unfinished, FileTime.fromMillis(RowMaker.FirstMs + 1000L * batch + part))
        Files.move(unfinished, file)
      }
    }
  }

  /** Deletes files of other rows than these. */
  private def forgetOthers(): Unit = {
    val mark = folder.resolve("_rows")
    if (!Files.exists(mark) || Files.readString(mark) != rows.toString) {
      FileUtils.cleanDirectory(folder.toFile)
      Files.writeString(mark, rows.toString)
    }
  }

  private def placeOf(batch: Int, part: Int): Long =
    batch.toLong * rows.rowsABatch + rows.rowsABatch.toLong * part / FilesABatch

  private def write(file: Path, first: Long, last: Long): Unit = {
    def line(row: Long) = s"${maker.key(row)},${Math.floorDiv(maker.time(row), 1000L)},${maker.value(row)}\n"
    Using.resource(Files.newBufferedWriter(file, US_ASCII))(out =>
      (first until last).foreach(row => out.write(line(row)))
    )
  }
}

object CsvFiles {

  /** One for each of the cores of `local[2]`. */
  val FilesABatch = 2
}
