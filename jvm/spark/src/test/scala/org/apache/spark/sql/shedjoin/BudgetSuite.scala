package org.apache.spark.sql.shedjoin

import java.io.File

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.streaming.StreamingQueryException

/** What a join does that may take only so much memory. */
class BudgetSuite extends AnyFunSuite with LocalSpark {
  import BudgetSuite._

  private val memory = "spark.shedjoin.memory"

  test("a full budget stops the query with an error that says all, and more memory resumes it exactly") {
    for (big <- Seq(0, 2)) withFolder { folder =>
      val history = of(Vector.tabulate(4)(batch => if (batch == big) 7000 else 20))
      val unlimited = withFolder(complete(history, _))
      val stream = new StreamRun(spark, history, isShed = true, folder)
      try {
        withConf(memory -> "1500kb") {
          stream.start()
          history.batches.take(big).foreach(batch => stream.add(batch).settle())
          val text = errorOf(stream.add(history.batches(big)).settle())
          assert(text.contains("[SHEDJOIN_OUT_OF_MEMORY] The state of join 0 does not fit its memory: partition "))
          assert(text.contains("its share is 768000 bytes (1536000 bytes over 2 partitions)"))
          assert("""needs at least \d{6,7} bytes""".r.findFirstIn(text).isDefined)
          assert("""In use: (\w+ \d+ %, )*rows \d+ %, """.r.findFirstIn(text).isDefined, text)
          assert("""Its largest keys are \(7\) with [1-9]\d* rows""".r.findFirstIn(text).isDefined, text)
          assert(commits(folder) == (0 until big).map(_.toLong))
          stream.stop()
        }
        withConf(memory -> "64mb") {
          stream.start().settle()
          history.batches.drop(big + 1).foreach(batch => stream.add(batch).settle())
          assert(stream.results.map(_.sorted) == unlimited.map(_.sorted))
        }
      } finally stream.stop()
    }
  }

  test("a state that has grown too large for a smaller memory is refused by the same error") {
    withFolder { folder =>
      val history = of(Vector(7000, 20))
      val stream = new StreamRun(spark, history, isShed = true, folder)
      try {
        stream.start().add(history.batches.head).settle().stop()
        withConf(memory -> "1500kb") {
          val text = errorOf(stream.start().add(history.batches(1)).settle())
          assert(text.contains("SHEDJOIN_OUT_OF_MEMORY") && text.contains("its share is 768000 bytes"), text)
        }
        stream.stop()
        stream.start().settle()
        assert(stream.results.map(_.sorted) == withFolder(complete(history, _)).map(_.sorted))
      } finally stream.stop()
    }
  }

  test("a budget below the least is refused at the start with the figure that would do") {
    withFolder { folder =>
      val history = of(Vector(5))
      val stream = new StreamRun(spark, history, isShed = true, folder)
      try
        withConf(memory -> "100kb") {
          val text = errorOf(stream.start().add(history.batches.head).settle())
          assert(
            text.contains("[SHEDJOIN_BUDGET_TOO_SMALL] The option memory is 102400 bytes, 51200 bytes for each of 2")
          )
        }
      finally stream.stop()
      assert(commits(folder).isEmpty)
    }
  }

  test("what a join reports to use is never more than its memory, and grows with its rows") {
    withFolder { folder =>
      val history = of(Vector.fill(8)(300))
      val stream = new StreamRun(spark, history, isShed = true, folder)
      try
        withConf(memory -> "4mb") {
          stream.start()
          history.batches.foreach(batch => stream.add(batch).settle())
          val used = stream.progress.map(_.stateOperators.head.memoryUsedBytes)
          assert(used.forall(_ <= 4 * 1024 * 1024) && used.last > used.head && used.head > 0, used)
        }
      finally stream.stop()
    }
  }

  private def complete(history: History, folder: File): Vector[BatchResult] = {
    val stream = new StreamRun(spark, history, isShed = true, folder).start()
    try history.batches.foreach(batch => stream.add(batch).settle())
    finally stream.stop()
    stream.results
  }

  private def commits(checkpoint: File): Seq[Long] =
    Option(new File(checkpoint, "commits").listFiles).toSeq.flatten
      .map(_.getName)
      .filter(_.forall(_.isDigit))
      .map(_.toLong)
      .sorted

  /** Everything that the error of a query, and what caused it, says. */
  private def errorOf(action: => Any): String =
    Iterator
      .iterate[Throwable](intercept[StreamingQueryException](action))(_.getCause)
      .takeWhile(_ != null)
      .map(_.getMessage)
      .mkString("\n")
}

object BudgetSuite {

  /** Batches of so many rows, nearly all of them left ones of key 7, to which a few right ones belong. */
  private def of(sizes: Vector[Int]): History = {
    val ids = Iterator.from(1)
    val batches = sizes.map { size =>
      Vector.fill(size) {
        val id = ids.next().toLong
        val isLeft = id % 50 > 0
        Event(
          id,
          Event.instant(1700000000L * 1000000 + id * 1000),
          Some(if (isLeft || id % 2000 == 0) 7 else (id % 100).toInt),
          0,
          0,
          Some(1),
          if (isLeft) 0 else 1
        )
      }
    }
    History(0, join, batches, nothingLate = true, selfJoin = false, partitions = 2, codegen = false)
  }

  private val join = JoinCase.inner(TimeCondition.Unrelated, "repeat('x', 200)")
}
