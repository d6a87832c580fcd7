"""The Java that Spark runs on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

QUICK_SPARK = {
    "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.enabled=false "
    "--conf spark.sql.shuffle.partitions=2 --driver-java-options "
    "'-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' pyspark-shell",
    "SPARK_LOCAL_IP": "127.0.0.1",
}
"""The environment of a Spark that starts in half the time: few tasks, few threads."""

OLDEST = 17
"""Spark 4 runs on nothing older."""


def find_java() -> str | None:
    """The path of a Java that is new enough, if it is installed."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which("java", path=os.path.join(home, "bin") if home else None)
    if program is None:
        return None
    try:
        said = subprocess.run([program, "-version"], capture_output=True, text=True)
    except OSError:
        return None
    version = re.search(r'version "(\d+)', said.stderr)
    return program if version and int(version[1]) >= OLDEST else None
