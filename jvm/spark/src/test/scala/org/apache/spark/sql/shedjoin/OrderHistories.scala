package org.apache.spark.sql.shedjoin

import java.io.File
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** What the order of rows, and the cuts between batches, may and may not change. */
abstract class OrderHistories(count: Int) extends AnyFunSuite with LocalSpark {

  test("rows in another order within their batch give the same batches and the same bytes of state") {
    forEach(1000, _ => true) { history =>
      val (inOrder, files) = run(history)
      val (shuffled, filesOfShuffled) = run(Histories.shuffled(history, history.seed))
      assert(shuffled.map(_.sorted) == inOrder.map(_.sorted))
      assert(shuffled.map(_.metrics) == inOrder.map(_.metrics))
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

  private def forEach(from: Long, isMeant: History => Boolean)(check: History => Unit): Unit =
    Iterator.from(from.toInt).map(i => Histories.of(i.toLong)).filter(isMeant).take(count).foreach { history =>
      withClue(s"$history\n")(check(history))
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

class OrderHistoriesSuite extends OrderHistories(count = 10)

class OrderHistoriesSoak extends OrderHistories(count = 100)
