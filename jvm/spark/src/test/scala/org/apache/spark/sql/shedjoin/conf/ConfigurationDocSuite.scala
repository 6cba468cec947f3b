package org.apache.spark.sql.shedjoin.conf

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** The page about options is that of the registry. */
class ConfigurationDocSuite extends AnyFunSuite {

  test("docs/configuration.md is what the registry says") {
    val root =
      Iterator.iterate(Path.of("").toAbsolutePath)(_.getParent).find(f => Files.exists(f.resolve("build.sbt"))).get
    val page = root.resolve("docs/configuration.md")
    if (java.lang.Boolean.getBoolean("shedjoin.writeDocs")) Files.writeString(page, ConfigurationDoc.text)
    assert(Files.readString(page) == ConfigurationDoc.text, "Make it anew, by the command in its first line.")
  }

  test("every option has a doc line, a type and a default, and a key of its own") {
    val all = ShedJoinRegistry.all
    assert(all.forall(o => o.doc.endsWith(".") && o.typeName.nonEmpty && o.default.nonEmpty && o.ways.nonEmpty))
    assert(all.map(_.name.toLowerCase).distinct.size == all.size)
    assert(all.forall(o => !ShedJoinRegistry.notYet(o.name)))
  }
}
