package org.apache.spark.sql.shedjoin

import java.nio.file.{Files, Path => File}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{ChecksumException, Path}
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.state.DamagedStateFile

import org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager

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
}
