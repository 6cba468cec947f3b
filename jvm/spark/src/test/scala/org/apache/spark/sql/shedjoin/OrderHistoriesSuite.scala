package org.apache.spark.sql.shedjoin

import java.io.File
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

/** What the order of rows, and the cuts between batches, may and may not change. */
class OrderHistoriesSuite extends AnyFunSuite with LocalSpark with Seeded {

  test("rows in another order within their batch give the same batches and the same bytes of state") {
    forEach(1000, _ => true) { history =>
      val (inOrder, files) = run(history)
      val (shuffled, filesOfShuffled) = run(Histories.shuffled(history, history.seed))
      assert(shuffled.map(_.sorted) == inOrder.map(_.sorted))
      assert(shuffled.map(_.rowCounts) == inOrder.map(_.rowCounts))
      assert(files.nonEmpty && files.keySet == filesOfShuffled.keySet)
      assert(files.keys.toSeq.sorted.filterNot(name => files(name) == filesOfShuffled(name)).isEmpty, ": files differ")
    }
  }

  test("other cuts between batches give the same rows when none is late and all windows are past") {
    forEach(2000, h => h.nothingLate && (h.join.isBounded || h.join.joinType == "inner") && h.isPlain) { history =>
      val (one, _) = run(history)
      val (other, _) = run(Histories.cutAnew(history, history.seed))
      assert(other.flatMap(_.sorted).sorted == one.flatMap(_.sorted).sorted)
    }
  }

  private def forEach(after: Long, isMeant: History => Boolean)(check: History => Unit): Unit =
    seedsAfter(after).map(Histories.of).filter(isMeant).take(times(10)).foreach { history =>
      alone(history.seed)(withClue(s"$history\n")(check(history)))
    }

  /** The batches of a run by our operator, and the bytes of its state's deltas. */
  private def run(history: History): (Vector[BatchResult], Map[String, Seq[Byte]]) = withFolder { folder =>
    val stream = new StreamRun(spark, history, isShed = true, folder).start()
    try history.batches.foreach(batch => stream.add(batch).settle())
    finally stream.stop()
    (stream.results, deltas(new File(folder, "state/0")))
  }

  private def deltas(folder: File): Map[String, Seq[Byte]] = {
    val files = for {
      partition <- folder.listFiles.toSeq if partition.getName.forall(_.isDigit)
      file <- partition.listFiles if file.getName.endsWith(".delta")
    } yield s"${partition.getName}/${file.getName}" -> Files.readAllBytes(file.toPath).toSeq
    files.toMap
  }
}
