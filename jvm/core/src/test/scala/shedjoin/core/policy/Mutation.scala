package shedjoin.core.policy

import scala.util.Random

import shedjoin.core.NoRow

/** What may be wrong with the ranks of a policy. */
sealed trait Mutation

object Mutation {

  /** What should go last goes first. */
  case object Negated extends Mutation

  /** Any row goes. */
  case object AtRandom extends Mutation

  /** The victim that the policy of a history would name if it were mutated so. */
  def victim(mutation: Mutation, history: PolicyHistory, seed: Int): Int = {
    val ids = history.rows.stored.keys.toSeq
    if (ids.isEmpty) NoRow
    else
      mutation match {
        case Negated => lastVictim(history)
        case AtRandom => ids(new Random(seed * 1000L + history.tick).nextInt(ids.size))
      }
  }

  /** Found by a copy of the policy, from which all victims are taken, one after the other. */
  private def lastVictim(history: PolicyHistory): Int = {
    val copy = history.copied()
    history.rows.stored.keys.toSeq.map { _ =>
      val victim = copy.nextVictim()
      copy.removed(victim)
      victim
    }.last
  }
}
