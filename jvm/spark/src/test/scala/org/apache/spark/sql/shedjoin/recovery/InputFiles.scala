package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.attribute.FileTime
import java.nio.file.{Files, Path}
import java.time.Instant

import scala.util.Random

/** The two streams that recovery is tried on: folders of JSON files, of which a batch takes one a side.
  *
  * Rows are out of order by less than the watermark's delay, so that the result does not depend on where a kill makes
  * Spark cut batches otherwise. Some rows are later than any cut can save. The last file's event times are so far on
  * that every window before them is over.
  */
object InputFiles {
  private val StepMs = 10_000L
  private val DisorderMs = 5_000L
  private val RowsPerFile = 24
  private val Keys = 50
  private val LateFrom = 8
  private val Origin = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli

  /** Writes `files` files for each of the sides `left` and `right` under `folder`. */
  def write(folder: Path, files: Int, seed: Long): Unit = for ((side, number) <- Seq("left", "right").zipWithIndex) {
    val random = new Random(seed + number)
    val under = Files.createDirectories(folder.resolve(side))
    for (file <- 0 until files) {
      val rows =
        if (file == files - 1) Seq(last(number, file))
        else
          (0 until RowsPerFile).map(n => row(random.nextInt(Keys + 4 * number), time(random, file), file, n)) ++ late(
            file
          )
      val written = Files.writeString(under.resolve(f"$file%04d.json"), rows.mkString("", "\n", "\n"))
      age(written, file)
    }
  }

  /** Writes a file more a side, the `place`th, whose row is as late as that of the last of all before. */
  def writeLast(folder: Path, place: Int): Unit = for ((side, number) <- Seq("left", "right").zipWithIndex)
    age(Files.writeString(folder.resolve(side).resolve(f"$place%04d.json"), last(number, place) + "\n"), place)

  /** A row that ends every window before it, and matches none. */
  private def last(number: Int, file: Int): String = row(-1 - number, 1000L * 1000 * 1000, file, 0)

  /** Gives a file the time that puts it at its place in the stream. */
  def age(file: Path, place: Int): Unit =
    Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochMilli(Origin + place * 1000L)))

  private def time(random: Random, file: Int): Long =
    math.max(0, file * StepMs + random.nextLong(StepMs) - random.nextLong(DisorderMs))

  private def late(file: Int): Seq[String] = if (file < LateFrom) Nil else Seq(row(file % Keys, 0, file, RowsPerFile))

  private def row(key: Int, time: Long, file: Int, n: Int): String =
    s"""{"k":$key,"at":"${Instant.ofEpochMilli(Origin + time)}","id":${file * 1000 + n}}"""
}
