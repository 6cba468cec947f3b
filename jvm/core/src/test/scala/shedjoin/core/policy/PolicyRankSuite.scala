package shedjoin.core.policy

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, NoRow, Seeded}

/** Victims against ranks computed from scratch for every stored row. */
class PolicyRankSuite extends AnyFunSuite with Seeded {

  /** Whether the victim has the least rank, but for rounding, and comes first among rows of the same rank. */
  private def isLeast(history: PolicyHistory, policy: PolicyCase, victim: Int): Boolean = {
    import policy.precision
    val ids = history.rows.stored.keys.toSeq
    if (ids.isEmpty) victim == NoRow
    else {
      val ranks = ids.map(id => id -> policy.rank(history, id)).toMap
      val error = precision * (1e-2 + math.abs(ranks(victim)))
      ranks(victim) <= ranks.values.min + error &&
      ids.filter(isTied(history, precision, ranks, victim, _)).forall(history.rows.compareTied(victim, _) <= 0)
    }
  }

  /** Where ranks are rounded in another way here, only rows of one value are known to be equal. */
  private def isTied(history: PolicyHistory, precision: Double, ranks: Map[Int, Double], a: Int, b: Int): Boolean = {
    val (x, y) = (history.rows.stored(a), history.rows.stored(b))
    ranks(a) == ranks(b) && (precision == PolicyCase.Exact ||
      x.side == y.side && x.value == y.value && x.importance == y.importance && x.bytes == y.bytes)
  }

  private def run(policy: PolicyCase, random: Random): Boolean = {
    val history = new PolicyHistory(PolicyRegistry(policy.name), policy.settings, Budget.unlimited, random)
    (1 to 120).forall { _ =>
      history.step()
      history.policy.checkInvariants()
      isLeast(history, policy, history.policy.nextVictim())
    }
  }

  PolicyCases.all.foreach { policy =>
    test(s"the row of least rank goes: $policy") {
      histories(25)(random => assert(run(policy, random)))
    }
  }

  test("the order of the rows is right at every time, however far apart the ticks are") {
    Seq(13, 60000).foreach { spread =>
      PolicyCases.all.foreach { policy =>
        histories(6) { random =>
          val history =
            new PolicyHistory(PolicyRegistry(policy.name), policy.settings, Budget.unlimited, random, spread)
          (1 to 120).foreach { _ =>
            history.step()
            history.policy.checkInvariants()
          }
        }
      }
    }
  }

  /** Whether the suite finds out a policy that names other victims than it should. */
  private def isFoundOut(policy: PolicyCase, mutation: Mutation): Boolean =
    (1 to 10).exists { seed =>
      val history =
        new PolicyHistory(PolicyRegistry(policy.name), policy.settings, Budget.unlimited, new Random(seed))
      !(1 to 120).forall { _ =>
        history.step()
        isLeast(history, policy, Mutation.victim(mutation, history, seed))
      }
    }

  for (mutation <- Seq(Mutation.Negated, Mutation.AtRandom))
    test(s"with its ranks $mutation, every policy is found out in all its settings") {
      PolicyCases.all.foreach(policy => assert(isFoundOut(policy, mutation), policy))
    }

  test("every policy but random has its rank checked") {
    assert(PolicyRegistry.all.map(_.name).toSet - "random" == PolicyCases.all.map(_.name).toSet)
  }
}
