package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.functions.expr

/** The errors of options, by their whole text. */
class OptionErrorsSuite extends Sessions {
  private def joined = stream("1").join(stream("2"), expr("k1 = k2"))

  test("an unknown option is refused by name, wherever it is given") {
    assert(
      errorOf(joined.hint("shed_join", "memroy=64mb")) ==
        "[SHEDJOIN_UNKNOWN_OPTION] The option memroy of the hint SHED_JOIN is not an option here; " +
        "known are enabled, memory, onPressure, name. Correct or remove it."
    )
    assert(
      errorOf(joined.hint("shed_join_call", "memroy=64mb")) ==
        "[SHEDJOIN_UNKNOWN_OPTION] The argument memroy of shedjoin.join is not an option here; " +
        "known are memory, onPressure, name. Correct or remove it."
    )
    set("memroy", "64mb")
    assert(
      errorOf(planned(joined.hint("shed_join"))) ==
        "[SHEDJOIN_UNKNOWN_OPTION] spark.shedjoin.memroy is not an option here; known are " +
        "spark.shedjoin.enabled, spark.shedjoin.memory, spark.shedjoin.onPressure. Correct or remove it."
    )
  }

  test("an unknown key of the conf harms no join that is left to Spark") {
    set("memroy", "64mb")
    assert(sparkJoins(joined) == 1)
  }

  test("an option that is given in the wrong place is told where it belongs") {
    set("enabled", "true")
    set("name", "bids")
    assert(
      errorOf(planned(joined)) ==
        "[SHEDJOIN_UNKNOWN_OPTION] spark.shedjoin.name is not an option here; known are " +
        "spark.shedjoin.enabled, spark.shedjoin.memory, spark.shedjoin.onPressure. Give it by call or hint."
    )
  }

  test("an option of a feature to come is refused by name") {
    assert(
      errorOf(joined.hint("shed_join", "policy=prob")) ==
        "[SHEDJOIN_NOT_AVAILABLE_YET] The option policy of the hint SHED_JOIN belongs to a feature that this release " +
        "does not have; it has enabled, memory, onPressure, name. Remove it."
    )
    for (pressure <- Seq("shed", "sample", "spill"))
      assert(
        errorOf(joined.hint("shed_join_call", s"on_pressure=$pressure")) ==
          s"[SHEDJOIN_NOT_AVAILABLE_YET] The argument onPressure of shedjoin.join is '$pressure', which this release " +
          "can not do; it can do fail. Use that, or remove it."
      )
  }

  test("a value that means nothing is refused when it is given") {
    def told(naming: String, value: String, allowed: String) =
      s"[SHEDJOIN_INVALID_OPTION] $naming is '$value'; allowed is $allowed. Correct it, or remove it to use the default."
    val size = "a size above zero, such as 64mb, 2g or a plain number of bytes"
    for (memory <- Seq("much", "0", "-1", "64 miles", ""))
      assert(
        errorOf(joined.hint("shed_join", s"memory=$memory")) == told(
          "The option memory of the hint SHED_JOIN",
          memory,
          size
        )
      )
    assert(errorOf(set("memory", "much")) == told("spark.shedjoin.memory", "much", size))
    assert(errorOf(set("enabled", "maybe")) == told("spark.shedjoin.enabled", "maybe", "true or false"))
    assert(
      errorOf(joined.hint("shed_join", "name=a b")) ==
        told("The option name of the hint SHED_JOIN", "a b", "1 to 64 letters, digits, and the signs _ . -")
    )
  }

  test("a malformed hint says how a hint is written") {
    val form =
      "its parameters are texts of the form 'option=value'. Write for example SHED_JOIN('memory=64mb', 'name=bids')."
    assert(
      errorOf(
        joined.hint("shed_join", "64mb")
      ) == s"[SHEDJOIN_INVALID_OPTION] The hint SHED_JOIN was given '64mb'; $form"
    )
    assert(errorOf(joined.hint("shed_join", 64)) == s"[SHEDJOIN_INVALID_OPTION] The hint SHED_JOIN was given 64; $form")
    assert(
      errorOf(joined.hint("shed_join", "memory=1m", "Memory=2m")) ==
        "[SHEDJOIN_INVALID_OPTION] The option memory of the hint SHED_JOIN is given twice; once is allowed. " +
        "Remove one of them."
    )
  }

  test("sizes are read as Spark reads them") {
    for ((text, bytes) <- Seq("64mb" -> 67108864L, "1 g" -> 1073741824L, "2KB" -> 2048L, "4096" -> 4096L))
      assert(shedJoins(joined.hint("shed_join", s"memory=$text")).map(_.memory) == Seq(Some(bytes)))
  }
}
