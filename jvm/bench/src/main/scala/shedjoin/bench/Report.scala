package shedjoin.bench

import java.nio.file.{Files, Path}
import java.time.LocalDate

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.shedjoin.ShedJoinBuild

/** The results as a Markdown page, written anew with every section, so that what was measured is never lost. */
final class Report(file: Path, command: String) {
  private var sections = Vector.empty[String]

  def add(section: String): Unit = {
    sections :+= section
    Files.createDirectories(file.getParent)
    Files.writeString(file, (head +: sections).mkString("", "\n\n", "\n"))
    ()
  }

  private def head: String =
    s"""<!-- Written by `$command`. -->
       |# Benchmarks
       |
       |- Command: `$command`, ${LocalDate.now}
       |- Machine: ${Machine.description}
       |- Versions: shedjoin ${ShedJoinBuild.version}, Spark $SPARK_VERSION, Scala ${util.Properties.versionNumberString},
       |  ${Machine.java}
       |
       |${Report.Reading}""".stripMargin
}

object Report {
  private val Reading =
    """Each contender ran once a round, in turns, in one JVM with `local[2]` and two partitions, after a run to warm up;
      |each run with a new checkpoint, from the start of the query to its end. Input is made up from a fixed seed, as it is
      |read where nothing else is said. Figures are medians, with the extremes in brackets; ratios are taken within a round.
      |All use `FileSystemBasedCheckpointFileManager`; RocksDB keeps changelogs (`changelogCheckpointing.enabled`).
      |
      |- *floor*: the same scan, watermarks and shuffle, and no join; *of the floor*: rows/s as a part of the floor's.
      |- *CPU*: of the whole process; *over floor*: less the floor's; *tasks*: of the threads that run Spark's tasks; *rest*:
      |  planning and bookkeeping, and what threads took that ended meanwhile.
      |- *full state*: time a row in the last quarter of the batches.
      |- *held*: what the process holds after garbage collection, on the heap and off it, less what it holds once the
      |  state is unloaded, a row stored at the end; RocksDB keeps the rest on disk. *reported*: the most that the operator
      |  said.
      |- *checkpoint*: bytes of the state's files, snapshots included.
      |- *restore*: by how much the first batch after a restart takes longer than the next, all without input, less the
      |  same of a query without state; the bytes a second of the state as it is *reported*, index and all, and of the rows
      |  themselves (Spark's `UnsafeRow`), the same measure for all; and the files there were.""".stripMargin
}
