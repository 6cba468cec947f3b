package org.apache.spark.sql.shedjoin

/** A type of join key: the SQL that makes one of `k` and `alt`, and which `k` it takes for equal.
  *
  * Keys that Spark rewrites for its join, to normal floats or to what a collation compares, keep its optimizer from
  * filtering nulls out, so that its operator, which takes null for a key like any other, matches them with each other.
  */
final case class KeyType(name: String, sql: String, sameAs: Int => Int = identity, isRewritten: Boolean = false) {
  override def toString: String = name
}

object KeyType {
  private val text = "concat('key-', cast(k as string))"

  val all: Seq[KeyType] = Seq(
    KeyType("int", "k"),
    KeyType("tinyint", "cast(k as tinyint)"),
    KeyType("bigint", "cast(k as bigint) * 1000000007"),
    KeyType("string", text),
    KeyType("small decimal", "cast(k as decimal(9, 2))"),
    KeyType("large decimal", "cast(concat(cast(k as string), '12345678901234567890.5') as decimal(38, 4))"),
    KeyType("struct", s"if(k is null, null, named_struct('a', k, 'b', $text, 'c', if(k % 2 = 0, null, k)))"),
    KeyType("binary", s"cast($text as binary)"),
    KeyType("date", "date_add(date'2024-01-01', k)"),
    KeyType("timestamp", "timestamp_seconds(k)"),
    KeyType("timestamp_ntz", "cast(timestamp_seconds(k) as timestamp_ntz)"),
    KeyType("boolean", "k % 2 = 0", _ % 2),
    KeyType(
      "double",
      "case when k = 0 and alt = 0 then -0.0D when k = 1 then double('NaN') else cast(k as double) end",
      isRewritten = true
    ),
    KeyType(
      "float",
      "case when k = 0 and alt = 0 then -0.0F when k = 1 then float('NaN') else cast(k as float) end",
      isRewritten = true
    ),
    KeyType("array", s"if(k is null, null, array($text, null, 'end'))"),
    KeyType(
      "array of double",
      "if(k is null, null, array(if(k = 0 and alt = 0, -0.0D, cast(k as double))))",
      isRewritten = true
    ),
    KeyType("collated", s"collate(if(alt = 0, upper($text), $text), 'UTF8_LCASE')", isRewritten = true),
    KeyType("interval", "make_dt_interval(k)"),
    KeyType("expression", "k * k", k => k * k)
  )

  /** What else a row may carry: every kind of value that Spark's state takes. */
  val payloads: Seq[String] = Seq(
    "v",
    "cast(v as tinyint)",
    "cast(v as smallint)",
    "cast(v as bigint)",
    "v % 2 = 0",
    "cast(if(v = 1, 'NaN', cast(v as string)) as float)",
    "if(v = 0, -0.0D, cast(v as double))",
    "cast(v as decimal(9, 3))",
    "cast(v as decimal(38, 18))",
    "repeat(concat('x', cast(v as string)), coalesce(v, 0) * 50)",
    "cast(cast(v as string) as binary)",
    "date_add(date'1900-01-01', v)",
    "timestamp_seconds(v)",
    "cast(timestamp_seconds(v) as timestamp_ntz)",
    "make_dt_interval(v, 1, 2, 3.456789)",
    "make_ym_interval(v, 1)",
    "make_interval(v, 1, 0, 3)",
    "array(v, null, v + 1)",
    "array(array('a', null), array(cast(v as string)))",
    "map('a', v, 'b', null)",
    "map(named_struct('k', id), array(v))",
    "named_struct('a', v, 'b', named_struct('c', array(named_struct('d', map(id, v)))))",
    "if(v % 3 = 0, null, named_struct('a', cast(v as string), 'b', cast(v as decimal(30, 2))))",
    "parse_json(concat('{\"a\": ', coalesce(v, 0), ', \"b\": [1, \"x\"]}'))",
    "collate(cast(v as string), 'UNICODE_CI')",
    "cast(v as varchar(5))"
  )
}
