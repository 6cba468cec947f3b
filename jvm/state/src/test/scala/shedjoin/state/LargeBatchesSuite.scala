package shedjoin.state

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinShape, Reach}

/** Thousands of rows in a batch: the towers of skip lists, sorts by digits, many pages, and tables of more than one chunk. */
class LargeBatchesSuite extends AnyFunSuite {
  import Histories._

  private val apart = 100

  /** Unlimited, or little enough for pages to be cleaned. */
  private def settings(random: Random): StateSettings =
    StateSettings(
      if (random.nextBoolean()) StateSettings.Unlimited else 3L << 20,
      deltasPerSnapshot = 2,
      versionsToRetain = 9
    )

  /** Batches of few keys, whose rows come so far apart that each meets only some of the others of its key. */
  private def largeBatches(random: Random, rowsASide: Int, keys: Int): Seq[Batch] =
    batches(random, 3, 8, keys, 60).map { batch =>
      def side(rows: Seq[TestRow]): Seq[TestRow] = Seq.tabulate(rowsASide) { i =>
        val row =
          if (rows.nonEmpty && random.nextInt(50) == 0) rows(random.nextInt(rows.size)) else someRow(random, keys)
        val time = if (row.time == JoinShape.NoTime) row.time else row.time * apart + random.nextInt(apart)
        row.copy(time = time, value = i)
      }
      Batch(side(batch.left), side(batch.right), batch.bound * apart)
    }

  private def someRow(random: Random, keys: Int): TestRow =
    TestRow(random.nextInt(keys), 1000L + random.nextInt(90), 0, random.nextInt(4) * 3)

  for ((kind, seed) <- kinds.zipWithIndex; (keys, rowsASide) <- Seq((2, 1000), (2000, 3000)))
    test(
      s"$kind, $keys keys, $rowsASide rows a side: the naive join's rows and state, undone and done again, and read back from files"
    ) {
      val random = new Random(100L * seed + keys)
      val files = new MemoryFiles
      val memory = settings(random)
      val live = new VersionedState(files, memory)
      val naive = new Naive
      largeBatches(random, rowsASide, keys).zipWithIndex.foreach { case (batch, i) =>
        val shape = shapeOf(kind, Reach(-30, 10), batch.bound)
        val expected = multiset(naive.run(batch, shape))
        (0 to random.nextInt(2)).foreach { _ =>
          val attempt = live.open(StateVersion(i.toLong, None))
          val state = attempt.state
          assert(multiset(runBatch(state, batch, shape)) == expected, s"batch $i")
          assert(content(state) == naive.content, s"batch $i")
          state.checkInvariants()
          attempt.commit()
        }
        live.maintain()
        val restored = new VersionedState(files, memory).open(StateVersion(i + 1L, None)).state
        restored.checkInvariants()
        assert(content(restored) == naive.content, s"batch $i, read back")
      }
    }
}
