package shedjoin.core.join

/** Which rows a join emits, and so which sides must remember whether their rows were matched. */
sealed abstract class JoinKind(val keepsLeft: Boolean, val keepsRight: Boolean) {

  /** Whether unmatched rows of `side` are emitted beside nulls when they expire. */
  def keeps(side: Int): Boolean = if (side == Side.Left) keepsLeft else keepsRight
}

object JoinKind {
  case object Inner extends JoinKind(keepsLeft = false, keepsRight = false)
  case object LeftOuter extends JoinKind(keepsLeft = true, keepsRight = false)
  case object RightOuter extends JoinKind(keepsLeft = false, keepsRight = true)
  case object FullOuter extends JoinKind(keepsLeft = true, keepsRight = true)
  case object LeftSemi extends JoinKind(keepsLeft = false, keepsRight = false)
}
