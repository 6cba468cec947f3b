package org.apache.spark.sql.shedjoin.store

import java.io.FileNotFoundException
import java.nio.file.{Files, Path => File}
import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{ChecksumException, Path}
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.state.{DamagedStateFile, StateSettings, StateVersion, VersionedState}

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.streaming.checkpointing.{
  FileContextBasedCheckpointFileManager,
  FileSystemBasedCheckpointFileManager
}

/** The files of a partition's state on a file system. */
class CheckpointStateFilesSuite extends AnyFunSuite {

  test("an error of the file system's own checksums names the file") {
    val folder: File = Files.createTempDirectory("shedjoin-files")
    val conf = new Configuration
    conf.set("spark.sql.streaming.checkpointFileManagerClass", classOf[FileSystemBasedCheckpointFileManager].getName)
    val files = new CheckpointStateFiles(new Path(folder.toUri), conf)
    val pending = files.create("1.delta")
    pending.out.write(Array.fill[Byte](1000)(7))
    pending.commit()
    val bytes = Files.readAllBytes(folder.resolve("1.delta"))
    bytes(500) = 8
    Files.write(folder.resolve("1.delta"), bytes)
    val in = files.open("1.delta")
    val error =
      try intercept[DamagedStateFile](in.readAllBytes())
      finally in.close()
    assert(error.getMessage.contains(folder.resolve("1.delta").toString))
    assert(error.getCause.isInstanceOf[ChecksumException])
  }

  private val managers =
    Seq(classOf[FileSystemBasedCheckpointFileManager], classOf[FileContextBasedCheckpointFileManager])

  managers.foreach { manager =>
    val name = manager.getSimpleName

    def filesIn(folder: File): CheckpointStateFiles = {
      val conf = new Configuration
      conf.set("spark.sql.streaming.checkpointFileManagerClass", manager.getName)
      new CheckpointStateFiles(new Path(folder.toUri), conf)
    }

    test(s"$name: the end of a file is read without the rest, whatever its length") {
      val folder = Files.createTempDirectory("shedjoin-files")
      val files = filesIn(folder)
      Seq(0, 5, 32, 33, 100000).foreach { length =>
        val bytes = Array.tabulate(length)(i => (i * 7).toByte)
        val pending = files.create("1.delta")
        pending.out.write(bytes)
        pending.commit()
        assert(files.end("1.delta", 32).sameElements(bytes.takeRight(32)), s"$length bytes")
      }
      intercept[FileNotFoundException](files.end("2.delta", 32))
    }

    test(s"$name: what a killed driver leaves of files goes away with the versions they were to be of") {
      val folder = Files.createTempDirectory("shedjoin-files")
      val files = filesIn(folder)
      val state =
        new VersionedState(files, StateSettings(StateSettings.Unlimited, deltasPerSnapshot = 2, versionsToRetain = 3))
      val left = (1L to 12L).flatMap { number =>
        val attempt = state.open(StateVersion(number - 1, None))
        val begun = Seq(s"$number.delta", s"${number}_${new UUID(7, number)}.snapshot")
        begun.foreach(name => inTask(number % 2 == 0)(abandon(files, name)))
        attempt.commit()
        state.maintain()
        begun
      }
      val oldest = folder.toFile.list.filter(_.endsWith(".snapshot")).flatMap(StateVersion.parse).map(_._1.number).min
      assert(oldest >= 7 && oldest <= 8, "three versions before the eleventh, which is the last that is settled")
      val kept = left.filter(_.takeWhile(_.isDigit).toLong > oldest)
      assert(files.list().flatMap(files.nameToBe).sorted == kept.sorted)
      val unfinished = folder.toFile.list.filter(_.contains(".tmp")).toSeq
      assert(unfinished.forall(name => kept.exists(name.contains)), "checksums of deleted files are gone, too")
    }
  }

  private def abandon(files: CheckpointStateFiles, name: String): Unit = {
    val out = files.create(name).out
    out.write(new Array[Byte](5000))
    out.flush()
  }

  /** In a task the names have its number, too. */
  private def inTask(isIt: Boolean)(f: => Unit): Unit = {
    if (isIt) TaskContext.setTaskContext(TaskContext.empty())
    try f
    finally TaskContext.unset()
  }
}
