package shedjoin.core.policy

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, NoRow, Seeded}

/** Victims against ranks computed from scratch for every stored row. */
class PolicyRankSuite extends AnyFunSuite with Seeded {

  /** What is wrong with a victim: it has the least rank, but for rounding, and comes first among those known to be equals. */
  private def fault(history: PolicyHistory, policy: PolicyCase, victim: Int): Option[String] = {
    val ids = history.rows.stored.keys.toSeq
    if (ids.isEmpty) Option.when(victim != NoRow)(s"$victim goes, and no row is stored")
    else {
      val ranks = ids.map(id => id -> policy.rank(history, id)).toMap
      val error = policy.precision * (1e-2 + math.abs(ranks(victim)))
      val rows = history.rows.stored
      def areTied(id: Int) = ranks(victim) == ranks(id) && policy.areEqual(rows(victim), rows(id), history.tick)
      ids
        .find { id =>
          ranks(victim) > ranks(id) + error || areTied(id) && history.rows.compareTied(victim, id) > 0
        }
        .map { id =>
          s"at ${history.tick} ${rows(victim)} of rank ${ranks(victim)} goes before ${rows(id)} of rank ${ranks(id)}"
        }
    }
  }

  private def run(policy: PolicyCase, random: Random): Unit = {
    val history = new PolicyHistory(PolicyRegistry(policy.name), policy.settings, Budget.unlimited, random)
    (1 to 120).foreach { step =>
      history.step()
      history.policy.checkInvariants()
      fault(history, policy, history.policy.nextVictim()).foreach(found => fail(s"step $step: $found"))
    }
  }

  PolicyCases.all.foreach { policy =>
    test(s"the row of least rank goes: $policy") {
      histories(25)(run(policy, _))
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
      (1 to 120).exists { _ =>
        history.step()
        fault(history, policy, Mutation.victim(mutation, history, seed)).nonEmpty
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
