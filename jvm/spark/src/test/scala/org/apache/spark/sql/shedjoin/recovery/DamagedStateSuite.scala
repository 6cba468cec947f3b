package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path}

import shedjoin.state.DamagedStateFile

/** A query whose state was damaged while it was stopped says so, names the file, and gives no row. */
class DamagedStateSuite extends StoppedQueries {
  private val seed = 11L

  private def flip(file: Path): Unit = {
    val bytes = Files.readAllBytes(file)
    bytes(bytes.length / 2) = (bytes(bytes.length / 2) ^ 1).toByte
    Files.write(file, bytes)
  }

  private def cut(file: Path): Unit = {
    val bytes = Files.readAllBytes(file)
    Files.write(file, bytes.take(bytes.length - 9))
  }

  /** Deletes what Hadoop's local file system keeps beside a file, as no other file system does. */
  private def withoutChecksum(file: Path): Unit =
    Files.deleteIfExists(file.resolveSibling(s".${file.getFileName}.crc"))

  /** The last batch that was committed. */
  private def committed(folder: Path): Int =
    folder.resolve("checkpoint/commits").toFile.list().flatMap(_.toIntOption).max

  private def damage(name: String, kind: String, only: Boolean, harm: Path => Unit): Unit = test(name) {
    val folder = Files.createTempDirectory("shedjoin-damaged")
    StoppedQuery.arrive(folder, seed, 0, StoppedQuery.first)
    StoppedQuery.run(spark, folder, pauseMs = 400)
    StoppedQuery.arrive(folder, seed, StoppedQuery.first, StoppedQuery.all)
    val file = byPartition(folder).values.head.filter(_.toString.endsWith(kind)).maxBy(StoppedQuery.version)
    val before = committed(folder)
    harm(file)
    if (only) withoutChecksum(file)
    val error = intercept[Exception](StoppedQuery.run(spark, folder))
    val causes = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).toSeq
    val found = causes.find(_.getMessage.contains("[SHEDJOIN_DAMAGED_STATE_FILE]"))
    assert(found.exists(_.getMessage.contains(file.toString)), s": ${causes.mkString("\n")}")
    assert(causes.exists(_.isInstanceOf[DamagedStateFile]))
    assert(committed(folder) == before)
    Drill.delete(folder)
  }

  damage("a delta with a flipped bit is refused by name", ".delta", only = true, flip)
  damage("a delta that is cut short is refused by name", ".delta", only = true, cut)
  damage("a delta that is missing is refused by name", ".delta", only = true, Files.delete)
  damage("a delta with a flipped bit is refused by name, Hadoop's checksum beside it", ".delta", only = false, flip)
  damage("a delta that is cut short is refused by name, Hadoop's checksum beside it", ".delta", only = false, cut)
  damage("a snapshot with a flipped bit is refused by name", ".snapshot", only = true, flip)
}
