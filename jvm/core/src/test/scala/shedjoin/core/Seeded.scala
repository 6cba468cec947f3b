package shedjoin.core

import scala.util.Random

/** Histories drawn from seeds; a history that fails names its seed. */
trait Seeded {

  def histories(count: Int)(history: Random => Unit): Unit = (1 to count).foreach(seed => run(seed, history))

  private def run(seed: Int, history: Random => Unit): Unit =
    try history(new Random(seed))
    catch { case e: Throwable => throw new AssertionError(s"seed $seed: $e", e) }
}
