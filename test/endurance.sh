#!/bin/bash
#
# endurance.sh HOURS
#	  Runs what finds faults the longer it runs, with sanitizers, for a number of hours in all.
#
# Works in rounds of ROUND minutes (default 20), each of one part and with a seed of its own: of
# eight rounds, two go to the fuzzers, three to the hostile suite, two to the random comparisons
# with plain definitions, and one to scans beside writes, crashes and a promoted standby.  The
# first round is a session that runs a million statements, and whose memory must not grow.
#
# Each round is a line of build/endurance/rounds, with its log beside it.  A run that was stopped
# goes on after the last of them; without this folder, it begins again.  Ends with the sums of
# all rounds.  With PG_CONFIG of a server that was built with --enable-cassert, its assertions
# are checked, too.
set -uo pipefail
unset MAKEFLAGS MAKELEVEL

cd "$(dirname "$0")/.." || exit
# shellcheck source=test/setup.sh
. test/setup.sh test
seconds=$(awk "BEGIN { print int($1 * 3600) }")
logs=$PWD/build/endurance
rounds=$logs/rounds
mkdir -p "$logs"
touch "$rounds"
export PG_CONFIG SEED

# A million statements in one session, 20,000 times those of statements.sql: no error, and no more memory than after 1,000 times.
million()
{
  set -o pipefail
  psql -Xq -v ON_ERROR_STOP=1 -f test/endurance/tables.sql &&
    { for ((round = 1; round <= 20000; round++)); do
        echo "\\set round $round"
        cat test/endurance/statements.sql
        ((round % 1000 != 0)) || echo "SELECT memory_used();"
      done; } | psql -XqAt -v ON_ERROR_STOP=1 |
      awk '/^memory/ { print $0 " kB, round " ++thousands ",000"; last = $2; if (!first) first = $2 }
           END { exit !(first && last < first * 1.05) }'
}
export -f million

# Random comparisons with seeds from SEED, 1,000 apart from those of the next round.
random_rounds()
{
  local end=$((SECONDS + $1)) status=0
  for ((SEED = SEED * 1000; SECONDS < end; SEED++)); do
    /usr/bin/python3 test/random/run.py || status=1
  done
  return "$status"
}
export -f random_rounds

# Runs a part for some seconds.
run_part()
{
  case $1 in
    million) test/hostile/scratch.sh test/with-server.sh bash -c million ;;
    fuzz) make -s fuzz FUZZ_SECONDS=$(($2 / 2)) ;; # there are two fuzzers
    hostile) test/hostile/scratch.sh -s test/with-server.sh /usr/bin/python3 test/hostile/run.py "$2" ;;
    random) test/hostile/scratch.sh -s test/with-server.sh bash -c "random_rounds $2" ;;
    concurrency) test/hostile/scratch.sh -s /usr/bin/python3 test/concurrency/run.py $(($2 / 60)) ;;
  esac
}

# Prints the counts in a log of a part.
counts()
{
  case $1 in
    million) tail -n 1 "$2" ;;
    fuzz) awk '/^stat::number_of_executed_units/ { n += $2 } END { print n + 0 " inputs" }' "$2" ;;
    *) awk '/^ok / { ok++ } /^not ok / { bad++ } END { print ok + 0 " passed, " bad + 0 " failed" }' "$2" ;;
  esac
}

# Prints the part of the next round: that which has run least of its share.
next_part()
{
  awk -F '\t' 'BEGIN { share["fuzz"] = 2; share["hostile"] = 3; share["random"] = 2; share["concurrency"] = 1 }
    { ran[$1] += $3 }
    END {
      if (!("million" in ran)) { print "million"; exit }
      for (part in share)
        if (!best || ran[part] / share[part] < ran[best] / share[best]) best = part
      print best
    }' "$rounds"
}

while ran=$(awk -F '\t' '{ ran += $3 } END { print ran + 0 }' "$rounds") && ((ran < seconds)); do
  part=$(next_part)
  SEED=$(($(grep -c "^$part	" "$rounds") + 1))
  log=$logs/$part-$SEED.log
  length=$((${ROUND:-20} * 60))
  start=$SECONDS
  status=0
  run_part "$part" $((length < seconds - ran ? length : seconds - ran)) >"$log" 2>&1 || status=$?
  printf '%s\t%d\t%d\t%d\t%s\n' "$part" "$SEED" $((SECONDS - start)) "$status" "$(counts "$part" "$log")" |
    tee -a "$rounds"
done

# The sums of all rounds: of each part its seconds, the rounds that failed, and what was counted.
awk -F '\t' '{
    seconds[$1] += $3; number[$1]++; failed[$1] += $4 != 0; all += $3
    if ($1 == "million") text[$1] = $5
    else { split($5, words, " "); first[$1] += words[1]; second[$1] += words[3]
           text[$1] = $1 == "fuzz" ? first[$1] " inputs" : first[$1] " passed, " second[$1] " failed" }
    bad += $4 != 0
  }
  END {
    for (part in number)
      printf "%s: %d s, %d rounds, %d of them failed, %s\n", part, seconds[part], number[part], failed[part], text[part]
    printf "In all %.2f hours\n", all / 3600
    exit bad > 0
  }' "$rounds"
