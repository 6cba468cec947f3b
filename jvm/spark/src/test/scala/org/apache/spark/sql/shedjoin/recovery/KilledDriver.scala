package org.apache.spark.sql.shedjoin.recovery

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

/** A driver killed at random instants, again and again, until its query is through; every other query has checkpoint format 2. */
abstract class KilledDriver(kills: Int) extends AnyFunSuite with Seeded {
  private val seed: Long = seedsAfter(0).next()

  test(s"after $kills kills at random instants the sink holds exactly the rows of an undisturbed run, seed $seed") {
    val random = new Random(seed)
    val undisturbed = Drill.undisturbed(seed)
    var done = 0
    var queries = 0
    while (done < kills) {
      val format = RecoveryQuery.someFormat(seed + queries)
      val drill = new Drill(seed, RecoveryQuery.Shed ++ RecoveryQuery.checkpointFormat(format))
      val killed = killUntilDone(drill, kills - done, random)
      done += killed
      queries += 1
      drill.close()
      assert(
        drill.rows == undisturbed,
        s"query $queries in ${drill.folder}, format $format, after $killed kills, seed $seed"
      )
      drill.delete()
    }
    info(s"$done kills of $queries queries")
  }

  /** Kills the driver at most `atMost` times and lets it go to the end then; gives how often it was killed. */
  private def killUntilDone(drill: Drill, atMost: Int, random: Random): Int = {
    var done = 0
    var finished = false
    while (!finished) {
      val driver = drill.start()
      if (done < atMost) await(drill, driver, random)
      if (done < atMost && driver.kill()) done += 1
      else {
        assert(
          driver.exit() == 0,
          s"the driver in ${drill.folder} failed after $done kills, seed $seed; ${driver.story}"
        )
        finished = true
      }
    }
    done
  }

  /** Waits up to a random instant: now and then while the driver starts, else within the next batches. */
  private def await(drill: Drill, driver: DriverProcess, random: Random): Unit = {
    val from = drill.batches
    val batches = random.nextInt(KilledDriver.MostBatches)
    val ms = random.nextLong(KilledDriver.AboutABatchMs)
    if (random.nextInt(8) > 0 && driver.awaitLine(RecoveryApp.Starting))
      while (drill.batches < from + batches && driver.exitWithin(5).isEmpty) ()
    driver.exitWithin(ms)
  }
}

object KilledDriver {
  private val MostBatches = 4
  private val AboutABatchMs = 500L
}

class KilledDriverSuite extends KilledDriver(kills = 20)

class KilledDriverSoak extends KilledDriver(kills = 200)
