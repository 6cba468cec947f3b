package org.apache.spark.sql.shedjoin

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

import org.apache.spark.TaskContext
import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.sql.{DataFrame, Row}

/** Batches that run twice, in part, or fail and are tried again. */
class ForeachBatchSuite extends AnyFunSuite with LocalSpark with Seeded {
  import ForeachBatchSuite._

  override protected def master: String = "local[2,3]"

  override protected def confs: Map[String, String] =
    Map("spark.sql.streaming.stateStore.commitValidation.enabled" -> "true")

  private def forEach(seen: Batch => Vector[Row]): Unit = {
    val rows = seeds(4, after = 10).map { seed =>
      val history = Histories.of(seed)
      alone(seed)(withClue(s"$history\n") {
        val once = run(history)(_.rows.collect().toVector)
        assert(run(history)(seen) == once)
        once.values.flatten.size
      })
    }
    overall(assert(rows.exists(_ > 0)))
  }

  test("two actions in one batch see the same rows") {
    forEach { batch =>
      val first = batch.rows.collect().toVector
      val second = batch.rows.collect().toVector
      assert(texts(first) == texts(second))
      second
    }
  }

  test("an action that stops early comes before the one that takes all") {
    forEach { batch =>
      val isEmpty = batch.rows.isEmpty
      val some = batch.rows.limit(1).collect()
      val all = batch.rows.collect().toVector
      assert(isEmpty == all.isEmpty && some.length == math.min(1, all.size))
      all
    }
  }

  test("a task that fails in mid-batch is tried again and gives the exact rows") {
    val failing = udf { (id: java.lang.Long) =>
      val task = TaskContext.get()
      attempts.computeIfAbsent((task.stageId(), task.partitionId()), _ => new AtomicInteger)
      if (task.attemptNumber() > 0) retried.incrementAndGet()
      else if (attempts.get((task.stageId(), task.partitionId())).incrementAndGet() == 3) {
        failed.incrementAndGet()
        throw new IllegalStateException("the third row of a first attempt")
      }
      id
    }
    failed.set(0)
    retried.set(0)
    forEach { batch =>
      val id = if (batch.rows.columns.contains("lid")) "lid" else batch.rows.columns.head
      batch.rows.withColumn(id, failing(col(id))).collect().toVector
    }
    overall(
      assert(
        failed.get > 0 && retried.get >= failed.get,
        s": ${failed.get} failed, ${retried.get} rows of later attempts"
      )
    )
  }

  /** The rows of each batch, as `seen` by the sink. */
  private def run(history: History)(seen: Batch => Vector[Row]): Map[Long, Vector[String]] = withFolder { folder =>
    val stream = new StreamRun(spark, history, isShed = true, folder, (rows, id) => seen(Batch(rows, id))).start()
    try history.batches.foreach(batch => stream.add(batch).settle())
    finally stream.stop()
    stream.results.map(b => b.id -> b.sorted).toMap
  }

  private def texts(rows: Vector[Row]): Vector[String] = rows.map(StreamRun.text).sorted
}

object ForeachBatchSuite {
  final private case class Batch(rows: DataFrame, id: Long)

  private val attempts = new ConcurrentHashMap[(Int, Int), AtomicInteger]
  private val failed = new AtomicInteger
  private val retried = new AtomicInteger
}
