package shedjoin.sim

import shedjoin.core.join.Side
import shedjoin.core.ledger.AgeCurveSource
import shedjoin.core.policy.{PolicyRegistry, PolicySetting, ShedPolicy}
import shedjoin.core.{Budget, NoRow}

/** The policy of a run; where the memory of the sides is apart, one for each, that knows only its side's rows.
  *
  * @param ages what the ledger knows of the partners by age, if there is one
  */
final private[sim] class Policies(
    settings: SimSettings,
    store: SimStore,
    livesEnd: Boolean,
    ages: Option[AgeCurveSource]
) {

  private val bySide: Array[ShedPolicy] = settings.memory match {
    case Memory.Shared(_) =>
      val both = make(settings.seed)
      Array(both, both)
    case Memory.Apart(_, _) => Array(make(settings.seed), make(settings.seed + 1))
  }
  private val isShared = bySide(Side.Left) eq bySide(Side.Right)

  private def make(seed: Long): ShedPolicy = settings.reference match {
    case Some(policy) => policy.over(store, store.place)
    case None =>
      val windows = Seq(Side.Left, Side.Right).map(settings.within.life)
      PolicyRegistry(settings.policy)(
        settings.settings,
        PolicySetting(store, Budget.unlimited, seed, livesEnd, windows, ages)
      )
  }

  def advance(tick: Long): Unit = {
    bySide(Side.Left).advance(tick)
    if (!isShared) bySide(Side.Right).advance(tick)
  }

  def observed(side: Int, value: Long): Unit = {
    bySide(Side.Left).observed(side, value)
    if (!isShared) bySide(Side.Right).observed(side, value)
  }

  def arrived(row: Int, matches: Int): Unit = bySide(store.side(row)).arrived(row, matches)
  def matched(row: Int): Unit = bySide(store.side(row)).matched(row)
  def removed(row: Int): Unit = bySide(store.side(row)).removed(row)

  /** The next row that must go because memory is too small, or `NoRow`. */
  def overdue(): Int = settings.memory match {
    case Memory.Shared(rows) => if (store.count > rows) bySide(Side.Left).nextVictim() else NoRow
    case Memory.Apart(left, right) =>
      if (store.count(Side.Left) > left) bySide(Side.Left).nextVictim()
      else if (store.count(Side.Right) > right) bySide(Side.Right).nextVictim()
      else NoRow
  }
}
