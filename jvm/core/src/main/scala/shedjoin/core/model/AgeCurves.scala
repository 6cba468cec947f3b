package shedjoin.core.model

/** The age curves of paper 1, section 6.2.2: 5 partners in 20 parts of a window of 500. */
object AgeCurves {
  private val parts = 20
  val window = 500L

  private def squared(k: Int) = k.toDouble * k

  private val shapes: Map[String, Int => Double] = Map(
    "INC" -> squared,
    "DEC" -> (k => squared(parts - k)),
    "BELL" -> (k => if (k <= parts / 2) squared(k) else squared(parts - k))
  )

  val expected: Map[String, Array[Double]] = shapes.map { case (name, shape) =>
    val heights = (1 to parts).map(shape)
    name -> heights.map(_ * 5 / heights.sum).toArray
  }
}
