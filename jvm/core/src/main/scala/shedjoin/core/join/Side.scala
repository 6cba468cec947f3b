package shedjoin.core.join

/** The two inputs of a join, as ints for the row path. */
object Side {
  val Left = 0
  val Right = 1

  def other(side: Int): Int = 1 - side

  def name(side: Int): String = if (side == Left) "left" else "right"
}
