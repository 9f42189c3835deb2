# Finds the tools that this project needs, and says in one sentence what is missing. Sourced.

say() { printf 'capacity: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

require_java() {
  if [ -n "${JAVA_HOME:-}" ]; then java="$JAVA_HOME/bin/java"; else java=$(command -v java || true); fi
  [ -x "$java" ] || fail "Java is missing: install a JDK 17 or newer, or set JAVA_HOME to one."
  local version
  version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
  case "$version" in
    1.* | [0-9] | 1[0-6]) fail "Java $version is too old: install a JDK 17 or newer, or set JAVA_HOME to one." ;;
  esac
  export java
}

require_maven() {
  command -v mvn >/dev/null || fail "Maven is missing: install Maven 3.8 or newer."
  [ -x "$(dirname "$java")/javac" ] || command -v javac >/dev/null ||
    fail "The Java compiler is missing: install a JDK, not only a runtime."
  local version
  version=$(mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  at_least "$version" 3.8 || fail "Maven $version is too old: install Maven 3.8 or newer."
}

require_node() {
  command -v npm >/dev/null || fail "npm is missing: install Node 20.19 or newer, which brings it."
  command -v node >/dev/null || fail "Node is missing: install Node 20.19 or newer."
  local version
  version=$(node --version | sed 's/^v//')
  at_least "$version" 20.19 || fail "Node $version is too old: install Node 20.19 or newer."
}

# at_least HAVE WANTED: compares dotted versions.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }
