package shedjoin.core.model

/** The age curves of [[AgeCurves]], as policies have them. */
object PaperCurves {
  val all: Map[String, AgeCurve] =
    AgeCurves.expected.map { case (name, parts) => name -> new AgeCurve(AgeCurves.window, parts) }
}
