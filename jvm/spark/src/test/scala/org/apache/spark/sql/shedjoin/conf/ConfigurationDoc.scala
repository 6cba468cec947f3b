package org.apache.spark.sql.shedjoin.conf

/** `docs/configuration.md`, made from the registry of options. */
object ConfigurationDoc {

  def text: String = {
    val rows = ShedJoinRegistry.all.map { option =>
      val conf = if (option.ways(AskedBy.Conf)) s"`${ShedJoinRegistry.confKey(option.name)}`" else "-"
      val hint = if (option.ways(AskedBy.Hint)) s"`'${option.name}=...'`" else "-"
      val call = if (option.ways(AskedBy.Call)) s"`${snakeCase(option.name)}=`" else "-"
      s"| $conf | $hint | $call | ${option.typeName} | ${option.default} | ${option.doc} |"
    }
    s"""<!-- Made from ShedJoinRegistry by `.ci/sbt -Dshedjoin.writeDocs=true "spark/testOnly *ConfigurationDocSuite"`. -->
       |# Configuration
       |
       |A join of two streams runs as ShedJoin when it is asked to, in one of three ways; for each option the nearest wins:
       |
       |1. the call: `shedjoin.join(left, right, on="key", memory="64mb")`;
       |2. the hint: `SELECT /*+ SHED_JOIN('memory=64mb') */ ...` or `df.hint("shed_join", "memory=64mb")`;
       |3. the conf of the session: `spark.shedjoin.enabled=true` takes every join of two streams that has an equality.
       |
       || conf | hint | Python argument | type | default | meaning |
       ||---|---|---|---|---|---|
       |${rows.mkString("\n|")}
       |
       |Sizes are written as Spark writes them: `64mb`, `2g`, or a plain number of bytes. An option that does not exist, in
       |this release or at all, is refused by its name: ${ShedJoinRegistry.notYet.toSeq.sorted
        .map("`" + _ + "`")
        .mkString(", ")} are
       |known to be planned.
       |
       |A hint acts on the nearest join of two streams below it, or, where there is none, on the join right above it. So a
       |hint on a DataFrame that already holds a join is for that join. Where that join has further joins of two streams
       |below it, these are not meant: give each its own hint, or set the conf.
       |
       |A join that can not be taken (a side is no stream, or there is no equality) is an error where it was asked for by
       |call or hint, and a warning in the log where it was asked for by conf.
       |
       |The conf is read when a query starts, and again at each restart.
       |""".stripMargin
  }

  private def snakeCase(name: String): String = name.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT)
}
