#!/usr/bin/env python3
"""Measures the language of comments, documents and commit subjects of a checkout (see docs/language.md).

usage: language.py [CHECKOUT] [--since REV]     prints one line per measure; default: the current directory
"""
import os, re, subprocess, sys

root = next((a for a in sys.argv[1:] if not a.startswith("--")), ".")
since = sys.argv[sys.argv.index("--since") + 1] if "--since" in sys.argv else None
files = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True).stdout.split("\n")
source = [f for f in files if re.search(r"\.(ts|tsx)$", f) and not re.search(r"\.(client-)?test\.tsx?$|/testing/|/fixtures/|\.generated\.|^tests/|/versions/", f)]
docs = [f for f in files if f.endswith(".md") and not f.startswith(("swagger/", "CHANGELOG"))]


def comments(text):
    lines, out, i = text.split("\n"), [], 0
    while i < len(lines):
        s = lines[i].strip()
        if s.startswith("//"):
            block = []
            while i < len(lines) and lines[i].strip().startswith("//"):
                block.append(lines[i].strip()[2:].strip()); i += 1
            out.append(" ".join(block))
        elif s.startswith("/*"):
            block = []
            while i < len(lines):
                block.append(re.sub(r"^/?\*+/?|\*/$", "", lines[i].strip()).strip())
                if "*/" in lines[i]: break
                i += 1
            i += 1
            out.append(" ".join(x for x in block if x))
        else:
            i += 1
    return [c for c in out if c and not re.match(r"(copyright|licensed|biome|@ts-)", c, re.I)]


def read(f):
    with open(os.path.join(root, f), errors="ignore") as h: return h.read()


all_comments = [c for f in source for c in comments(read(f))]
prose = " ".join(re.sub(r"```.*?```|`[^`]*`|\|", " ", read(f), flags=re.S) for f in docs)
words = sum(len(c.split()) for c in all_comments) or 1
doc_words = len(prose.split()) or 1
wh = re.compile(r"(What|Whether|Who|Whom|Which|How|Where|Why)\b")
front = re.compile(r"(Of|By|As|In|From|For|Beside|Between|Until|With|After|Before)\b")
print(f"comments {len(all_comments)}, words {words}; document words {doc_words}")
print(f"comments that begin with an interrogative: {100 * sum(bool(wh.match(c)) for c in all_comments) / max(len(all_comments), 1):.2f} % (goal 0.5)")
print(f"comments that begin with a preposition: {100 * sum(bool(front.match(c)) for c in all_comments) / max(len(all_comments), 1):.2f} % (goal 1.0)")
text = " ".join(all_comments)
for name, pattern in {
    "say/says/said": r"\bsa(y|ys|id)\b", "nobody/no one/none": r"\b(nobody|no one|none)\b", "whose": r"\bwhose\b", "another('s)": r"\banother('s)?\b",
    "when/where absent": r"\b(when|where) absent\b", "of its/their own": r"\bof (its|their|our) own\b", "mend": r"\bmend(s|ed|ing)?\b",
    "heed/hear/lead": r"\b(heed|hear|lead)s?\b", "text(s) for string": r"\b(a|the|as|no|of) texts?\b", "answer(s)": r"\banswer(s|ed)?\b",
    "member(s)": r"\bmembers?\b", "figure(s)": r"\bfigures?\b", "folder(s)": r"\bfolders?\b", "authorit(y|ies)": r"\bauthorit(y|ies)\b"}.items():
    print(f"{name}: comments {1e4 * len(re.findall(pattern, text, re.I)) / words:.1f}, documents {1e4 * len(re.findall(pattern, prose, re.I)) / doc_words:.1f} per 10,000 words")
sentences = [s for c in all_comments for s in re.split(r"(?<=[.!?;:])\s+", c) if s]
lengths = sorted(len(s.split()) for s in sentences)
print(f"comment clauses: median {lengths[len(lengths) // 2] if lengths else 0} words, over 30 words {sum(n > 30 for n in lengths)}")
log = subprocess.run(["git", "-C", root, "log", "--format=%s"] + ([f"{since}..HEAD"] if since else []), capture_output=True, text=True).stdout.strip().split("\n")
area = re.compile(r"[a-z0-9@/,. -]+(\([^)]*\))?: ")
long = sum(len(s) > 72 for s in log)
bare = sum(not area.match(s) for s in log)
say = sum(s.startswith("Say") for s in log)
print(f"commit subjects {len(log)}: over 72 characters {long}, without 'area: ' {bare}, beginning with Say {say}")
