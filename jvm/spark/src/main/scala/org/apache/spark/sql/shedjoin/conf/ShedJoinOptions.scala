package org.apache.spark.sql.shedjoin.conf

import org.apache.spark.sql.internal.SQLConf

/** The options of one join as they hold: the nearest of call, hint, session conf and default.
  *
  * @param memory
  *   the bytes that the state may take over all partitions; unbounded where absent
  * @param onPressure
  *   what happens when they are full
  * @param askedBy
  *   the nearest way in which ShedJoin was asked for
  */
final case class ShedJoinOptions(
    memory: Option[Long],
    onPressure: String,
    name: Option[String],
    askedBy: AskedBy
) {

  /** One text for plans: every option that holds. */
  def describe: String = {
    val shown = name.map("name=" + _) ++ memory.map(bytes => s"memory=$bytes bytes") ++
      memory.map(_ => s"onPressure=$onPressure") ++ Some(s"askedBy=$askedBy")
    shown.mkString("[", ", ", "]")
  }
}

object ShedJoinOptions {

  /** The options of a join if it is to be taken: what was `asked` of it by name, then the session's conf, then the
    * default.
    */
  def resolve(asked: Option[AskedOptions], conf: SQLConf): Option[ShedJoinOptions] = {
    val byName = asked.toSeq.flatMap(_.layers)
    val enabled =
      byName.headOption.fold(ShedJoinConf.enabled(conf)) { case (way, _) =>
        valueOf(ShedJoinRegistry.enabled, byName.filter(_._1 == way)).getOrElse(true)
      }
    if (enabled) Some(of(byName :+ (AskedBy.Conf -> ShedJoinConf.settings(conf)))) else None
  }

  private def of(layers: Seq[(AskedBy, Map[String, String])]): ShedJoinOptions = ShedJoinOptions(
    memory = valueOf(ShedJoinRegistry.memory, layers),
    onPressure = valueOf(ShedJoinRegistry.onPressure, layers).getOrElse(ShedJoinRegistry.onPressure.default),
    name = valueOf(ShedJoinRegistry.name, layers),
    askedBy = layers.head._1
  )

  /** The value of an option in the nearest layer that has it. */
  private def valueOf[T](option: OptionSpec[T], layers: Seq[(AskedBy, Map[String, String])]): Option[T] =
    layers.collectFirst { case (way, texts) if texts.contains(option.name) => option.parse(texts(option.name), way) }
}
