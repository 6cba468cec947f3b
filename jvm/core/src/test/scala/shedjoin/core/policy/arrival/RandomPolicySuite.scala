package shedjoin.core.policy.arrival

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.policy.{PolicyRegistry, PolicySetting, ShedPolicy, TestRows}

class RandomPolicySuite extends AnyFunSuite {

  private def full(rows: Int, seed: Long): ShedPolicy = {
    val policy = PolicyRegistry("random")(Map.empty, PolicySetting(new TestRows, Budget.unlimited, seed))
    (0 until rows).foreach(policy.arrived(_, 0))
    policy
  }

  /** Chi-square with 9 degrees of freedom exceeds 33.7 with a probability of 1e-4. */
  private def isEven(counts: Seq[Int]): Boolean = {
    val expected = counts.sum / 10.0
    counts.map(c => (c - expected) * (c - expected) / expected).sum < 33.7
  }

  test("over seeds, each row is as likely to go") {
    val victims = (1 to 5000).map(seed => full(10, seed.toLong).nextVictim())
    assert(isEven((0 to 9).map(row => victims.count(_ == row))))
  }

  test("over time, each row is as likely to go, whenever it came") {
    val policy = full(10, 3)
    val ages = (0 until 5000).map { _ =>
      val victim = policy.nextVictim()
      policy.removed(victim)
      policy.arrived(victim, 0)
      victim
    }
    assert(isEven((0 to 9).map(row => ages.count(_ == row))))
    // A row that came just now goes next as often as any other.
    val again = ages.zip(ages.drop(1)).count { case (a, b) => a == b }
    assert(again > 400 && again < 600)
  }
}
